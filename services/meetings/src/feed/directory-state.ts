import type { Directory } from '@atrium/service-kit/directory/directory';

/**
 * Tells apart what is known of people, of whom calendars say names and addresses: the same on every pod that knows the same. Each change
 * of a person counts their version up, and so the sum of all.
 */
export function followDirectory(directory: Directory): () => string {
  let known: string | undefined;
  directory.onUser(() => {
    known = undefined;
  });
  return () => {
    known ??= sumUp(directory);
    return known;
  };
}

function sumUp(directory: Directory): string {
  let [people, versions] = [0, 0];
  for (const { version } of directory.users()) {
    people += 1;
    versions += version;
  }
  return `${people}.${versions}`;
}
