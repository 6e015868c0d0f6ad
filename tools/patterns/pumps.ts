import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** An attack string: `prefix`, many repetitions of `pump`, and `suffix`. */
export type Pump = { prefix: string; pump: string; suffix: string };

/** Representatives of common character classes; characters named in the pattern are added. */
const CHARACTERS = ['a', 'A', '0', ' ', '\n', '.', '-', '_', '/', '?', '=', '@', ',', '"', '<', '\\', 'é', '\u0000'];
/** Suffixes that make a match fail at its end. */
const SUFFIXES = ['', '\n\u0000'];

/** For each unbounded repetition. */
export function pumpsOf(source: string, flags: string): Pump[] {
  const parser = new RegExpParser();
  const sets = flags.includes('v');
  const pattern = parser.parsePattern(source, 0, source.length, { unicode: flags.includes('u'), unicodeSets: sets });
  const samples = new Sampler(flags);
  const unique = new Map<string, Pump>();
  const add = (prefix: string, pump: string) => {
    if (pump !== '')
      for (const suffix of SUFFIXES) unique.set(JSON.stringify([prefix, pump, suffix]), { prefix, pump, suffix });
  };
  for (const quantifier of unboundedIn(pattern)) {
    const before = samples.before(quantifier);
    const element = samples.of(quantifier.element);
    add('', before);
    add('', before + element);
    add('', element);
    for (const character of charactersIn(source)) {
      add(before, character);
    }
  }
  return [...unique.values()];
}

export const inflate = ({ prefix, pump, suffix }: Pump, length: number): string =>
  prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix;

const charactersIn = (source: string) =>
  new Set([...CHARACTERS, ...[...source].filter((character) => !/[\p{L}\d\\]/u.test(character))]);

/** Bounded repetitions below this limit cannot be slow. */
const MANY = 32;

function unboundedIn(node: AST.Node): AST.Quantifier[] {
  const own = node.type === 'Quantifier' && node.max >= MANY ? [node] : [];
  return [...own, ...childrenOf(node).flatMap(unboundedIn)];
}

function childrenOf(node: AST.Node): readonly AST.Node[] {
  switch (node.type) {
    case 'Quantifier':
      return [node.element];
    case 'Pattern':
    case 'Group':
    case 'CapturingGroup':
      return node.alternatives;
    case 'Assertion':
      return node.kind === 'lookahead' || node.kind === 'lookbehind' ? node.alternatives : [];
    case 'Alternative':
      return node.elements;
    default:
      return [];
  }
}

class Sampler {
  readonly #flags: string;

  constructor(flags: string) {
    this.#flags = flags.replaceAll(/[gy]/g, '');
  }

  before(node: AST.Node): string {
    const { parent } = node;
    if (!parent) return '';
    if (parent.type !== 'Alternative') return this.before(parent);
    const index = parent.elements.indexOf(node as AST.Element);
    return (
      this.before(parent) +
      parent.elements
        .slice(0, index)
        .map((element) => this.of(element))
        .join('')
    );
  }

  of(node: AST.Node): string {
    switch (node.type) {
      case 'Alternative':
        return node.elements.map((element) => this.of(element)).join('');
      case 'Group':
      case 'CapturingGroup':
        return this.of(node.alternatives.at(0) ?? node);
      case 'Quantifier':
        return this.of(node.element).repeat(Math.min(Math.max(node.min, Math.min(node.max, 1)), 40));
      case 'Character':
        return String.fromCodePoint(node.value);
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        return this.#one(node.raw);
      case 'Assertion':
        return node.kind === 'start' && this.#flags.includes('m') ? '\n' : '';
      default:
        return '';
    }
  }

  #one(raw: string): string {
    const form = new RegExp(`^(?:${raw})$`, this.#flags);
    return CHARACTERS.find((character) => form.test(character)) ?? scan(form);
  }
}

function scan(form: RegExp): string {
  for (let code = 33; code < 0x3000; code += 1) {
    const character = String.fromCodePoint(code);
    if (form.test(character)) return character;
  }
  return '';
}
