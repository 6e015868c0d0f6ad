import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];
type Paint = (style: Style, text: string) => string;

export const isColored = (stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv = process.env): boolean =>
  env.FORCE_COLOR ? env.FORCE_COLOR !== '0' : stream.isTTY && !env.NO_COLOR;

export const createPainter = (stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv = process.env): Paint => {
  return isColored(stream, env)
    ? (style, text) => styleText(style, text, { validateStream: false })
    : (_style, text) => text;
};

const PREFIX_STYLES = [
  'cyan',
  'magenta',
  'yellow',
  'green',
  'blue',
  'cyanBright',
  'magentaBright',
  'greenBright',
] as const;

export const getPrefixStyle = (name: string): (typeof PREFIX_STYLES)[number] => {
  const sum = [...name].reduce((total, letter) => (total * 31 + letter.charCodeAt(0)) % 9_973, 7);
  return PREFIX_STYLES[sum % PREFIX_STYLES.length] ?? 'cyan';
};
