import { parseSync } from '@swc/core';

/** A regular expression with its source, or with the reason why the source is unknown. */
export type FoundPattern = { line: number; flags: string } & ({ source: string } | { unknown: string });

type Node = { type: string; span?: { start: number } } & Record<string, unknown>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';

/** String methods that convert a string argument to a regular expression. */
const MATCHERS = new Set(['match', 'matchAll', 'search']);

/**
 * Finds literals, `RegExp` calls, and strings passed to `match`, `matchAll`, and `search`. Evaluates constants that are
 * strings, templates, concatenations, and `source` properties.
 */
export function findPatterns(text: string, file: string): FoundPattern[] {
  const module = parseSync(text, { syntax: 'typescript', tsx: file.endsWith('x'), decorators: true });
  const nodes = [...walk(module as unknown as Node)];
  const constants = collectConstants(nodes);
  const offset = module.span.start;
  const bytes = Buffer.from(text);
  const getLine = ({ span }: Node) => countLines(bytes, (span?.start ?? offset) - offset);
  return nodes.flatMap((node) => {
    const pattern = readPattern(node, constants);
    return pattern ? [{ line: getLine(node), ...pattern }] : [];
  });
}

type Pattern = { flags: string } & ({ source: string } | { unknown: string });
type Constants = ReadonlyMap<string, Node>;

function readPattern(node: Node, constants: Constants): Pattern | undefined {
  if (node.type === 'RegExpLiteral') return { source: String(node.pattern), flags: String(node.flags) };
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return undefined;
  const [first, second] = listArguments(node);
  if (!first || !isNode(node.callee)) return undefined;
  const { callee } = node;
  if (callee.type === 'Identifier' && callee.value === 'RegExp') {
    const flags = second ? (evaluateText(second, constants) ?? '') : '';
    const source = evaluateText(first, constants);
    return source === undefined ? { unknown: 'not constant', flags } : { source, flags };
  }
  const isMatcher =
    callee.type === 'MemberExpression' && isNode(callee.property) && MATCHERS.has(String(callee.property.value));
  return isMatcher && first.type === 'StringLiteral' ? { source: String(first.value), flags: '' } : undefined;
}

function listArguments(node: Node): Node[] {
  const args = Array.isArray(node.arguments) ? node.arguments : [];
  return args.map((argument: { expression: unknown }) => argument.expression).filter(isNode);
}

function evaluateText(node: Node, constants: Constants, depth = 0): string | undefined {
  const evaluate = (part: unknown) =>
    isNode(part) && depth < 20 ? evaluateText(part, constants, depth + 1) : undefined;
  switch (node.type) {
    case 'StringLiteral':
      return String(node.value);
    case 'RegExpLiteral':
      return String(node.pattern);
    case 'TemplateLiteral':
      return evaluateTemplate(node, evaluate);
    case 'TaggedTemplateExpression':
      return isRaw(node) ? evaluateTemplate(node.template, evaluate, 'raw') : undefined;
    case 'BinaryExpression':
      return node.operator === '+' ? concatenate([evaluate(node.left), evaluate(node.right)]) : undefined;
    case 'ParenthesisExpression':
    case 'TsAsExpression':
    case 'TsConstAssertion':
    case 'TsSatisfiesExpression':
      return evaluate(node.expression);
    case 'Identifier':
      return evaluate(constants.get(String(node.value)));
    case 'CallExpression':
      return isEscape(node) ? 'x' : evaluateJoin(node, constants);
    case 'MemberExpression':
      return isNode(node.property) && node.property.value === 'source' ? evaluate(node.object) : undefined;
    default:
      return undefined;
  }
}

function evaluateTemplate(
  template: unknown,
  evaluate: (part: unknown) => string | undefined,
  kind: 'raw' | 'cooked' = 'cooked',
) {
  if (!isNode(template)) return undefined;
  const { quasis, expressions } = template as Node & { quasis: Record<string, string>[]; expressions: unknown[] };
  return concatenate(
    quasis.flatMap((quasi, index) => [
      quasi[kind],
      ...(index < expressions.length ? [evaluate(expressions[index])] : []),
    ]),
  );
}

function evaluateJoin(call: Node, constants: Constants): string | undefined {
  const [separator] = listArguments(call);
  const texts =
    getMethodName(call) === 'join' && isNode(call.callee) ? evaluateTexts(call.callee.object, constants) : undefined;
  return texts?.join(separator ? evaluateText(separator, constants) : ',');
}

function evaluateTexts(list: unknown, constants: Constants): string[] | undefined {
  const value = isNode(list) && list.type === 'Identifier' ? constants.get(String(list.value)) : list;
  if (!isNode(value)) return undefined;
  if (value.type === 'ArrayExpression' && Array.isArray(value.elements)) {
    const texts = value.elements.map((element) => element && evaluateText(element.expression, constants));
    return texts.every((text) => typeof text === 'string') ? texts : undefined;
  }
  const [mapper] = listArguments(value);
  if (getMethodName(value) !== 'map' || !isNode(value.callee) || mapper?.type !== 'ArrowFunctionExpression')
    return undefined;
  const parameter = Array.isArray(mapper.params) && isNode(mapper.params[0]) ? mapper.params[0].value : undefined;
  const { body } = mapper;
  const mapped = evaluateTexts(value.callee.object, constants)?.map((text) => {
    const scope = new Map(constants).set(String(parameter), { type: 'StringLiteral', value: text });
    return isNode(body) ? evaluateText(body, scope) : undefined;
  });
  return mapped?.every((text) => text !== undefined) ? mapped : undefined;
}

const getMethodName = ({ callee }: Node) =>
  isNode(callee) && callee.type === 'MemberExpression' && isNode(callee.property) ? callee.property.value : undefined;

function isEscape({ callee }: Node): boolean {
  if (!isNode(callee)) return false;
  const name = callee.type === 'MemberExpression' && isNode(callee.property) ? callee.property.value : callee.value;
  return /^escaped?/i.test(String(name));
}

const isRaw = ({ tag }: Node) =>
  isNode(tag) && tag.type === 'MemberExpression' && isNode(tag.property) && tag.property.value === 'raw';

const concatenate = (parts: (string | undefined)[]): string | undefined =>
  parts.every((part) => part !== undefined) ? parts.join('') : undefined;

/** Returns the initializers of variables in the file by name, except for names with several declarations. */
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

function* walk(node: Node): Generator<Node> {
  yield node;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) yield* walk(child);
      else if (typeof child === 'object' && child !== null) yield* walkNested(child);
    }
  }
}

function* walkNested(value: object): Generator<Node> {
  for (const child of Object.values(value).flat()) {
    if (isNode(child)) yield* walk(child);
  }
}

function countLines(bytes: Buffer, offset: number): number {
  let line = 1;
  for (let index = bytes.indexOf(10); index !== -1 && index < offset; index = bytes.indexOf(10, index + 1)) line += 1;
  return line;
}
