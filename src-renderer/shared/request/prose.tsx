import { Link } from "wouter";
import { useAddress } from "../../ui/address.ts";

const REQUEST = /\(request ([\da-f-]{36})\)/;

/** @returns a sentence about a request without the ids of others. */
export const withoutIds = (text: string): string => text.replaceAll(/ \(request [\da-f-]{36}\)/g, "");

/** A sentence about a request: another one that it names is a link. */
export const Prose = ({ text }: { readonly text: string }) => {
  const { hrefTo } = useAddress();
  const [before, id, after = ""] = text.split(REQUEST);
  if (id === undefined) return <bdi>{text}</bdi>;
  return (
    <bdi>
      {before}(
      <Link className="link" href={hrefTo("requests", { id })}>
        that request
      </Link>
      ){after}
    </bdi>
  );
};
