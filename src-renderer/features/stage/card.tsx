import { Fact, Facts } from "../../ui/parts.tsx";
import classes from "./card.module.css";
import type { StageKey } from "./foot.tsx";
import { storyOf } from "./personas.ts";
import type { Persona } from "./stage-app.ts";
import { words } from "./words.ts";

interface CardProps {
  readonly keys: readonly StageKey[];
  readonly personas: readonly Persona[];
}

/** The people and the keys: all that is printed of the stage. On the screen it is not shown; what follows it is not printed. */
export const Card = ({ keys, personas }: CardProps) => (
  <section className={classes["card"]} data-testid="card">
    <h2>{words().keysOfStage}</h2>
    <Facts>
      {personas.map((persona, at) => (
        <Fact key={persona.userId} name={at + 1}>
          <bdi>{persona.name}</bdi> · {storyOf(persona)}
        </Fact>
      ))}
      {keys.map(({ cap, label }) => (
        <Fact key={cap} name={cap}>
          {label}
        </Fact>
      ))}
    </Facts>
  </section>
);
