import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLintSandbox } from './lint-sandbox.ts';

let sandbox: ReturnType<typeof createLintSandbox>;

beforeAll(() => {
  sandbox = createLintSandbox();
});

afterAll(() => sandbox.remove());

/** Returns the linter's output about an expression in a file. */
async function lint(file: string, expression: string): Promise<string> {
  return (await sandbox.lint(file, `export const normal = (text: string) => ${expression};\n`)).output;
}

const RULE_MESSAGE = 'Normalize text with toNormalForm';

describe('the lint rule for normalization', () => {
  it.each([
    ['services/users/src/names.ts', `text.normalize('NFC')`],
    ['web/src/lib/names.ts', 'text?.normalize()'],
    ['gateway/src/names.ts', `text['normalize']('NFKC')`],
    ['tools/seed/names.ts', 'String.prototype.normalize.call(text)'],
  ])('rejects the built-in method in %s', async (file, expression) => {
    expect(await lint(file, expression)).toContain(RULE_MESSAGE);
  });

  it('accepts the built-in method in the module that limits its input, and toNormalForm everywhere', async () => {
    expect(await lint('proto-events/src/text/normal-form.ts', `text.normalize('NFC')`)).not.toContain(RULE_MESSAGE);
    expect(await lint('web/src/lib/names.ts', `toNormalForm(text, 'NFC')`)).not.toContain(RULE_MESSAGE);
  });
});
