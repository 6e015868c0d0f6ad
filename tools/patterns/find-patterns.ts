import { parseSync } from '@swc/core';

/** Its source, or why that is unknown. */
export type FoundPattern = { line: number; flags: string } & ({ source: string } | { unknown: string });

type Node = { type: string; span?: { start: number } } & Record<string, unknown>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** String methods that convert a string argument to a regular expression. */
const MATCHERS = new Set(['match', 'matchAll', 'search']);

/**
 * Literals, `RegExp` calls, and strings passed to `match`, `matchAll`, and `search`. Constants may be strings,
 * templates, concatenations, and `source` properties.
 */
export function findPatterns(text: string, file: string): FoundPattern[] {
  const module = parseSync(text, { syntax: 'typescript', tsx: file.endsWith('x'), decorators: true });
  const nodes = [...descendants(module as unknown as Node)];
  const constants = collectConstants(nodes);
  const offset = module.span.start;
  const bytes = Buffer.from(text);
  const lineOf = ({ span }: Node) => lineAt(bytes, (span?.start ?? offset) - offset);
  return nodes.flatMap((node) => {
    const pattern = readPattern(node, constants);
    return pattern ? [{ line: lineOf(node), ...pattern }] : [];
  });
}

type Pattern = { flags: string } & ({ source: string } | { unknown: string });
type Constants = ReadonlyMap<string, Node>;

function readPattern(node: Node, constants: Constants): Pattern | undefined {
  if (node.type === 'RegExpLiteral') return { source: String(node.pattern), flags: String(node.flags) };
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return undefined;
  const [first, second] = argumentsOf(node);
  if (!first || !isNode(node.callee)) return undefined;
  const { callee } = node;
  if (callee.type === 'Identifier' && callee.value === 'RegExp') {
    const flags = second ? (constantText(second, constants) ?? '') : '';
    const source = constantText(first, constants);
    return source === undefined ? { unknown: 'not constant', flags } : { source, flags };
  }
  const isMatcher =
    callee.type === 'MemberExpression' && isNode(callee.property) && MATCHERS.has(String(callee.property.value));
  return isMatcher && first.type === 'StringLiteral' ? { source: String(first.value), flags: '' } : undefined;
}

function argumentsOf(node: Node): Node[] {
  const args = Array.isArray(node.arguments) ? node.arguments : [];
  return args.map((argument: { expression: unknown }) => argument.expression).filter(isNode);
}

function constantText(node: Node, constants: Constants, depth = 0): string | undefined {
  const textOf = (part: unknown) => (isNode(part) && depth < 20 ? constantText(part, constants, depth + 1) : undefined);
  switch (node.type) {
    case 'StringLiteral':
      return String(node.value);
    case 'RegExpLiteral':
      return String(node.pattern);
    case 'TemplateLiteral':
      return templateText(node, textOf);
    case 'TaggedTemplateExpression':
      return isRaw(node) ? templateText(node.template, textOf, 'raw') : undefined;
    case 'BinaryExpression':
      return node.operator === '+' ? joined([textOf(node.left), textOf(node.right)]) : undefined;
    case 'ParenthesisExpression':
    case 'TsAsExpression':
    case 'TsConstAssertion':
    case 'TsSatisfiesExpression':
      return textOf(node.expression);
    case 'Identifier':
      return textOf(constants.get(String(node.value)));
    case 'CallExpression':
      return isEscape(node) ? 'x' : joinedList(node, constants);
    case 'MemberExpression':
      return isNode(node.property) && node.property.value === 'source' ? textOf(node.object) : undefined;
    default:
      return undefined;
  }
}

function templateText(
  template: unknown,
  textOf: (part: unknown) => string | undefined,
  kind: 'raw' | 'cooked' = 'cooked',
) {
  if (!isNode(template)) return undefined;
  const { quasis, expressions } = template as Node & { quasis: Record<string, string>[]; expressions: unknown[] };
  return joined(
    quasis.flatMap((quasi, index) => [
      quasi[kind],
      ...(index < expressions.length ? [textOf(expressions[index])] : []),
    ]),
  );
}

function joinedList(call: Node, constants: Constants): string | undefined {
  const [separator] = argumentsOf(call);
  const texts =
    methodOf(call) === 'join' && isNode(call.callee) ? constantTexts(call.callee.object, constants) : undefined;
  return texts?.join(separator ? constantText(separator, constants) : ',');
}

function constantTexts(list: unknown, constants: Constants): string[] | undefined {
  const value = isNode(list) && list.type === 'Identifier' ? constants.get(String(list.value)) : list;
  if (!isNode(value)) return undefined;
  if (value.type === 'ArrayExpression' && Array.isArray(value.elements)) {
    const texts = value.elements.map((element) => element && constantText(element.expression, constants));
    return texts.every((text) => typeof text === 'string') ? texts : undefined;
  }
  const [mapper] = argumentsOf(value);
  if (methodOf(value) !== 'map' || !isNode(value.callee) || mapper?.type !== 'ArrowFunctionExpression')
    return undefined;
  const parameter = Array.isArray(mapper.params) && isNode(mapper.params[0]) ? mapper.params[0].value : undefined;
  const { body } = mapper;
  const mapped = constantTexts(value.callee.object, constants)?.map((text) => {
    const scope = new Map(constants).set(String(parameter), { type: 'StringLiteral', value: text });
    return isNode(body) ? constantText(body, scope) : undefined;
  });
  return mapped?.every((text) => text !== undefined) ? mapped : undefined;
}

const methodOf = ({ callee }: Node) =>
  isNode(callee) && callee.type === 'MemberExpression' && isNode(callee.property) ? callee.property.value : undefined;

function isEscape({ callee }: Node): boolean {
  if (!isNode(callee)) return false;
  const name = callee.type === 'MemberExpression' && isNode(callee.property) ? callee.property.value : callee.value;
  return /^escaped?/i.test(String(name));
}

const isRaw = ({ tag }: Node) =>
  isNode(tag) && tag.type === 'MemberExpression' && isNode(tag.property) && tag.property.value === 'raw';

const joined = (parts: (string | undefined)[]): string | undefined =>
  parts.every((part) => part !== undefined) ? parts.join('') : undefined;

/** The initializer of each `const` in the file, by name; names with several declarations are left out. */
function collectConstants(nodes: readonly Node[]): Constants {
  const constants = new Map<string, Node>();
  const ambiguous = new Set<string>();
  for (const node of nodes) {
    if (node.type !== 'VariableDeclarator' || !isNode(node.id) || node.id.type !== 'Identifier') continue;
    const name = String(node.id.value);
    if (constants.has(name)) ambiguous.add(name);
    if (isNode(node.init)) constants.set(name, node.init);
  }
  for (const name of ambiguous) constants.delete(name);
  return constants;
}

function* descendants(node: Node): Generator<Node> {
  yield node;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) yield* descendants(child);
      else if (typeof child === 'object' && child !== null) yield* inside(child);
    }
  }
}

function* inside(value: object): Generator<Node> {
  for (const child of Object.values(value).flat()) {
    if (isNode(child)) yield* descendants(child);
  }
}

function lineAt(bytes: Buffer, offset: number): number {
  let line = 1;
  for (let index = bytes.indexOf(10); index !== -1 && index < offset; index = bytes.indexOf(10, index + 1)) line += 1;
  return line;
}
