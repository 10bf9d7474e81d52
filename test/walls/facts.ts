import { type ESTree, parseSync, Visitor } from "vite";

/** Something at a line, counted from 1. */
interface Found {
  readonly name: string;
  readonly line: number;
}

/** What the walls need to know about a source file. */
export interface Facts {
  /** Import specifiers of every kind; `?` for a computed one. */
  readonly imports: readonly Found[];
  /** Specifiers of re-exports, except types. */
  readonly reExports: readonly Found[];
  readonly defaultExports: readonly Found[];
  /** Members, calls and constructions (`Date.now`, `Date()`, `new Date()`); Biome checks the plain names. */
  readonly uses: readonly Found[];
  /** Declarations that are exported. */
  readonly exports: readonly Found[];
  /** Functions of the module, exported or not. */
  readonly functions: readonly Found[];
  /** First arguments of vi.mock and similar calls. */
  readonly mocks: readonly Found[];
  /** Regular expressions, as written. */
  readonly regexes: readonly Found[];
  /** Texts that something is compared with: `===`, `!==`, `case`. */
  readonly compared: readonly Found[];
  /** Names of the values that are used as keys: `app.strategy` in `user[app.strategy]` and `{ [app.strategy]: 1 }`. */
  readonly keys: readonly Found[];
  /** Constants of the module that are lists, objects, maps or sets and may be written into by their type. */
  readonly changeable: readonly Found[];
}

const MOCKS = new Set(["vi.mock", "vi.doMock"]);

/** @returns `a.b` for a member of a plain name, `a` for a name, else an empty string; drops a global object. */
const spell = (node: ESTree.Node): string => {
  if (node.type === "Identifier") return node.name;
  if (node.type !== "MemberExpression") return "";
  const owner = spell(node.object);
  const key = node.computed ? literal(node.property) : spell(node.property);
  if (owner === "" || key === "" || key === "?") return "";
  return /^(globalThis|window|self)$/.test(owner) ? key : `${owner}.${key}`;
};

const literal = (node: ESTree.Node | undefined): string =>
  node?.type === "Literal" && typeof node.value === "string" ? node.value : "?";

/** @param ends where lines end, in order. @returns how many end before an offset. */
const linesBefore = (ends: readonly number[], offset: number): number => {
  let [low, high] = [0, ends.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** @returns the expression without `as const`, `satisfies` and parentheses. */
const bare = (node: ESTree.Expression): ESTree.Expression =>
  node.type === "TSAsExpression" || node.type === "TSSatisfiesExpression" || node.type === "ParenthesizedExpression"
    ? bare(node.expression)
    : node;

/** How lists and objects are made: as literals, as collections, by `Object.fromEntries()` and its like, or from a literal list. */
const isMade = (node: ESTree.Expression): boolean => {
  if (node.type === "ObjectExpression" || node.type === "ArrayExpression") return true;
  if (node.type === "NewExpression") return /^(Map|Set)$/.test(spell(node.callee));
  if (node.type !== "CallExpression" || node.callee.type !== "MemberExpression") return false;
  const { object, property } = node.callee;
  if (spell(object) === "Object") return /^(fromEntries|entries|keys|values|assign)$/.test(spell(property));
  return /^(map|flatMap|filter|concat|toSorted)$/.test(spell(property)) && isMade(bare(object));
};

/** What a type allows to be written into. */
const isWritable = (type: string): boolean =>
  /(?<!Readonly<(Partial<)?)\bRecord<|(?<!Readonly)\b(Map|Set|Array)</.test(type) ||
  /^(?!readonly )[^{}<>]*\[\]$/.test(type);

/** @returns whether the type of a constant lets somebody write into it: a list or an object needs `as const` or a readonly type. */
const isChangeable = ({ id, init }: ESTree.VariableDeclarator, source: string): boolean => {
  if (init === null || id.type !== "Identifier") return false;
  const type = id.typeAnnotation?.typeAnnotation;
  if (type != null) return isWritable(source.slice(type.start, type.end));
  const [literal, text] = [bare(init), source.slice(init.start, init.end)];
  if (literal.type === "ObjectExpression" || literal.type === "ArrayExpression") return !/ as const\b/.test(text);
  return isMade(literal) && !/ as readonly\b/.test(text);
};

/**
 * @param file the path; its extension tells TypeScript and JSX apart
 * @param source the text of the file
 * @throws Error if the text does not parse
 */
export const readFacts = (file: string, source: string): Facts => {
  const { program, errors } = parseSync(file, source);
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`);
  const facts: { [list in keyof Facts]: Found[] } = {
    imports: [],
    reExports: [],
    defaultExports: [],
    exports: [],
    functions: [],
    uses: [],
    mocks: [],
    regexes: [],
    compared: [],
    keys: [],
    changeable: [],
  };
  const ends = [...source.matchAll(/\n/g)].map(({ index }) => index);
  const note = (list: Found[], name: string, { start }: { start: number }): void => {
    list.push({ name, line: linesBefore(ends, start) + 1 });
  };
  for (const node of program.body) {
    const declared = node.type === "ExportNamedDeclaration" ? node.declaration : node;
    if (declared?.type === "FunctionDeclaration" && declared.id !== null)
      note(facts.functions, declared.id.name, declared);
    for (const one of declared?.type === "VariableDeclaration" ? declared.declarations : [])
      if (one.id.type === "Identifier" && one.init?.type === "ArrowFunctionExpression")
        note(facts.functions, one.id.name, one);
  }
  new Visitor({
    ImportDeclaration: (node) => note(facts.imports, node.source.value, node),
    ImportExpression: (node) => note(facts.imports, literal(node.source), node),
    TSImportType: (node) => note(facts.imports, literal(node.source), node),
    ExportAllDeclaration: (node) => {
      note(facts.imports, node.source.value, node);
      if (node.exportKind !== "type") note(facts.reExports, node.source.value, node);
    },
    ExportNamedDeclaration: (node) => {
      const { declaration } = node;
      const declared = declaration?.type === "VariableDeclaration" ? declaration.declarations : [declaration];
      // The forms of an overloaded function are one.
      for (const one of declared)
        if (one != null && "id" in one && one.id?.type === "Identifier" && one.type !== "TSDeclareFunction")
          note(facts.exports, one.id.name, one);
      if (node.source === null) return;
      note(facts.imports, node.source.value, node);
      if (node.exportKind !== "type") note(facts.reExports, node.source.value, node);
    },
    ExportDefaultDeclaration: (node) => note(facts.defaultExports, "default", node),
    Literal: (node) => {
      if ("regex" in node) note(facts.regexes, source.slice(node.start, node.end), node);
    },
    BinaryExpression: (node) => {
      if (/^[!=]==?$/.test(node.operator))
        for (const side of [node.left, node.right]) note(facts.compared, literal(side), side);
    },
    SwitchCase: (node) => note(facts.compared, literal(node.test ?? undefined), node),
    Property: (node) => {
      if (node.computed) note(facts.keys, spell(node.key), node);
    },
    MemberExpression: (node) => {
      note(facts.uses, spell(node), node);
      // A table in capitals is made for such a look-up.
      if (node.computed && !/^[A-Z_]+$/.test(spell(node.object))) note(facts.keys, spell(node.property), node);
    },
    NewExpression: (node) => {
      const name = spell(node.callee);
      note(facts.uses, `new ${name}`, node);
      if (node.arguments.length === 0) note(facts.uses, `new ${name}()`, node);
    },
    CallExpression: (node) => {
      const name = spell(node.callee);
      note(facts.uses, `${name}()`, node);
      if (name === "require") note(facts.imports, literal(node.arguments[0]), node);
      if (MOCKS.has(name)) note(facts.mocks, literal(node.arguments[0]), node);
    },
  }).visit(program);
  for (const statement of program.body) {
    const declared = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
    if (declared?.type !== "VariableDeclaration") continue;
    for (const one of declared.declarations)
      if (isChangeable(one, source)) note(facts.changeable, one.id.type === "Identifier" ? one.id.name : "?", one);
  }
  return facts;
};
