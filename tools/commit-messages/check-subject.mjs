// The commit-msg hook rejects a subject that is empty or longer than 72 characters. It is plain JavaScript, so that it
// runs on any Node.

import { readFileSync } from 'node:fs';

const MAX_SUBJECT_LENGTH = 72;
const GENERATED = /^(?:Merge|Revert|fixup!|squash!) /;

const lines = readFileSync(process.argv[2], 'utf8').split(/\r?\n/);
const [subject = '', second = ''] = lines.filter((line) => !line.startsWith('#'));
const length = [...subject].length;

if (subject.trim() === '') fail('The commit subject is empty.');
else if (length > MAX_SUBJECT_LENGTH && !GENERATED.test(subject))
  fail(
    `The commit subject has ${length} characters; at most ${MAX_SUBJECT_LENGTH} are allowed. Put the reason in the body.`,
  );
else if (second.trim() !== '') fail('Leave an empty line between the commit subject and the body.');

function fail(message) {
  console.error(message);
  process.exitCode = 1;
}
