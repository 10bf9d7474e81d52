/** @returns a phone number in groups, where its country's are known; anything else as it is. */
export const recipientText = (to: string): string => to.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, "+1 $1 $2 $3");
