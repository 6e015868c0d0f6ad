import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const SRC = join(import.meta.dirname, '..');

/** Finds the local names of imported React Aria components, and of their styled versions. */
function ariaComponents(source: string): string[] {
  const imports = source.matchAll(/import \{([^}]*)\} from 'react-aria-components/g);
  const names = [...imports].flatMap(([, list = '']) =>
    list.split(',').map((name) => name.trim().split(' as ').at(-1) ?? ''),
  );
  const styledComponents = source.matchAll(/const (\w+) = styled\((\w+)\)/g);
  return [
    ...names,
    ...[...styledComponents].flatMap(([, name = '', component = '']) => (names.includes(component) ? [name] : [])),
  ];
}

function violationsIn(source: string): string[] {
  const names = new Set(ariaComponents(source));
  return [...source.matchAll(/<([A-Z]\w*)\s[^<]*?aria-hidden/g)].flatMap(([, name = '']) =>
    names.has(name) ? [`<${name} aria-hidden>`] : [],
  );
}

// React Aria drops unknown attributes such as `aria-hidden`: the control would remain, without a name.
it('no React Aria component is hidden by an attribute that it drops', () => {
  const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'));
  const violations = files.flatMap((file) =>
    violationsIn(readFileSync(join(SRC, file), 'utf8')).map((violation) => `${file}: ${violation}`),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(violations).toEqual([]);
});

it('the check for hidden controls detects a hidden React Aria component', () => {
  const source = `import { Button } from 'react-aria-components/Button';
    <Band onPress={onPress} excludeFromTabOrder aria-hidden="true">
    const Band = styled(Button)\`\``;
  expect(violationsIn(source)).toEqual(['<Band aria-hidden>']);
});
