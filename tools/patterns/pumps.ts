import { type AST, RegExpParser } from '@eslint-community/regexpp';

/** An attack string: `prefix`, many repetitions of `pump`, and `suffix`. */
export type Pump = { prefix: string; pump: string; suffix: string };

/** One character of each common class. Characters in the pattern are added to them. */
const CHARACTERS = ['a', 'A', '0', ' ', '\n', '.', '-', '_', '/', '?', '=', '@', ',', '"', '<', '\\', 'é', '\u0000'];
/** Suffixes that can make a match fail at its end. */
const SUFFIXES = ['', '\n\u0000'];

/** Creates attack strings for each unbounded repetition in a pattern. */
export function createPumps(source: string, flags: string): Pump[] {
  const parser = new RegExpParser();
  const unicodeSets = flags.includes('v');
  const pattern = parser.parsePattern(source, 0, source.length, { unicode: flags.includes('u'), unicodeSets });
  const sampler = new Sampler(flags);
  const unique = new Map<string, Pump>();
  const add = (prefix: string, pump: string) => {
    if (pump !== '')
      for (const suffix of SUFFIXES) unique.set(JSON.stringify([prefix, pump, suffix]), { prefix, pump, suffix });
  };
  for (const quantifier of findUnbounded(pattern)) {
    const prefix = sampler.sampleBefore(quantifier);
    const element = sampler.sample(quantifier.element);
    add('', prefix);
    add('', prefix + element);
    add('', element);
    for (const character of listCharacters(source)) {
      add(prefix, character);
    }
  }
  return [...unique.values()];
}

export const buildInput = ({ prefix, pump, suffix }: Pump, length: number): string =>
  prefix + pump.repeat(Math.ceil(length / pump.length)) + suffix;

const listCharacters = (source: string) =>
  new Set([...CHARACTERS, ...[...source].filter((character) => !/[\p{L}\d\\]/u.test(character))]);

/** Repetitions with a lower maximum cannot be slow. */
const MIN_UNBOUNDED = 32;

function findUnbounded(node: AST.Node): AST.Quantifier[] {
  const own = node.type === 'Quantifier' && node.max >= MIN_UNBOUNDED ? [node] : [];
  return [...own, ...listChildren(node).flatMap(findUnbounded)];
}

function listChildren(node: AST.Node): readonly AST.Node[] {
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

  sampleBefore(node: AST.Node): string {
    const { parent } = node;
    if (!parent) return '';
    if (parent.type !== 'Alternative') return this.sampleBefore(parent);
    const index = parent.elements.indexOf(node as AST.Element);
    return (
      this.sampleBefore(parent) +
      parent.elements
        .slice(0, index)
        .map((element) => this.sample(element))
        .join('')
    );
  }

  sample(node: AST.Node): string {
    switch (node.type) {
      case 'Alternative':
        return node.elements.map((element) => this.sample(element)).join('');
      case 'Group':
      case 'CapturingGroup':
        return this.sample(node.alternatives.at(0) ?? node);
      case 'Quantifier':
        return this.sample(node.element).repeat(Math.min(Math.max(node.min, Math.min(node.max, 1)), 40));
      case 'Character':
        return String.fromCodePoint(node.value);
      case 'CharacterSet':
      case 'CharacterClass':
      case 'ExpressionCharacterClass':
        return this.#sampleClass(node.raw);
      case 'Assertion':
        return node.kind === 'start' && this.#flags.includes('m') ? '\n' : '';
      default:
        return '';
    }
  }

  #sampleClass(raw: string): string {
    const pattern = new RegExp(`^(?:${raw})$`, this.#flags);
    return CHARACTERS.find((character) => pattern.test(character)) ?? findMatchingCharacter(pattern);
  }
}

function findMatchingCharacter(pattern: RegExp): string {
  for (let code = 33; code < 0x3000; code += 1) {
    const character = String.fromCodePoint(code);
    if (pattern.test(character)) return character;
  }
  return '';
}
