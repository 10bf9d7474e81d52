import { FileButton, Group, Input } from "@mantine/core";
import { complain, TextButton } from "../../ui/action.tsx";
import type { Field } from "../../ui/form.tsx";

/** As a data: URL a third longer, which the service takes. */
const MOST_BYTES = 49_000;

/** @returns the picture as the service takes it. @throws Error if it is too large or cannot be read */
const dataUrlOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    if (file.size > MOST_BYTES) reject(new Error(`${file.name} is too large: at most 48 KiB.`));
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new Error(`${file.name} could not be read.`));
    reader.readAsDataURL(file);
  });

interface LogoFieldProps {
  readonly common: Field & { readonly label: string; readonly description: string };
  readonly onChange: (text: string) => void;
}

/** A picture as a data: URL, and its preview. */
export const LogoField = ({ common: { label, description, error, value }, onChange }: LogoFieldProps) => {
  const verb = value === "" ? "Upload" : "Replace";
  return (
    <Input.Wrapper label={label} description={description} error={error}>
      <Group mt={8}>
        {value !== "" && <img src={value} alt={label} style={{ width: 48, height: 48, objectFit: "contain" }} />}
        <FileButton
          accept="image/png,image/jpeg,image/webp"
          onChange={(file) => file && void dataUrlOf(file).then(onChange, complain)}
        >
          {({ onClick }) => <TextButton onClick={onClick} label={verb} aria-label={`${verb} ${label}`} />}
        </FileButton>
      </Group>
    </Input.Wrapper>
  );
};
