import { Link } from "wouter";
import { useAddress } from "../../ui/address.ts";
import chips from "../../ui/filter-chips.module.css";
import { LANGUAGES, languageOf } from "./snippets.ts";

/** The languages of the snippets; the chosen one is in the address. */
export const LanguageChips = () => {
  const { address, hrefWith } = useAddress();
  const chosen = languageOf(address.id);
  return (
    <nav className={chips.chips} aria-label="Languages">
      {LANGUAGES.map(([id, word]) => (
        <Link
          key={word}
          href={hrefWith({ id })}
          className={chips.chip}
          aria-current={id === chosen ? "true" : undefined}
        >
          {word}
        </Link>
      ))}
    </nav>
  );
};
