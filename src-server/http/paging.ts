/**
 * The headers of the paginated list (D12; RFC 8288 for Link).
 */

/**
 * @param url of the list, without a query. @param page from 1. @param limit profiles on a page. @param total of all pages.
 * @returns the headers; `Link` is absolute, and `prev` of a page past the end is the last page.
 */
export const pageHeaders = (url: string, page: number, limit: number, total: number): Record<string, string> => {
  const pages = Math.ceil(total / limit);
  const last = Math.max(1, pages);
  const link = (target: number, rel: string): string => `<${url}?page=${target}&limit=${limit}>; rel="${rel}"`;
  const links = [link(1, "first"), link(last, "last")];
  if (page > 1) links.push(link(Math.min(page - 1, last), "prev"));
  if (page < last) links.push(link(page + 1, "next"));
  return {
    "Current-Page": String(page),
    "Page-Items": String(limit),
    "Total-Count": String(total),
    "Total-Pages": String(pages),
    Link: links.join(", "),
  };
};
