/**
 * What is loaded together is one file, with all that it imports: left to itself, the build gives every piece that two screens share a
 * file of its own, and small files compress badly. The first group that reaches a module has it.
 */
export const chunkGroups = [
  // Signing in is what most begin with, and what it uses the shell uses too.
  { name: 'start', test: /\/app\/(main|routes\/login)\.tsx$/ },
  { name: 'shell', test: /\/app\/shell\/shell\.tsx$/ },
  // What the dashboard and Team Chat, where most arrive, are made of alike, and the other screens too.
  {
    name: 'basics',
    test: /\/src\/(ui\/(notice|progress-bar|pages\/(answer|skeleton)|times\/time-words)|lib\/(hooks\/use-(now|opened)|cache\/use-(read|first-pages)))\.tsx?$/,
  },
  { name: 'home', test: /\/app\/routes\/dashboard\.tsx$/ },
  { name: 'live', test: /\/app\/shell\/follow-changes\.ts$/ },
  // What reads the entities is a few lines each, which most screens share some of; documents, files that are looked at
  // and meetings are read by their own.
  { name: 'reads', test: /\/src\/entities\/(?!document|file|meeting)[\w-]+\/use-[\w-]+\.ts$/ },
  { name: 'fields', test: /\/ui\/fields\/(select|search-field)\.tsx$/ },
  { name: 'icons', test: /\/lucide-react\/dist\/esm\/icons\//, minShareCount: 2 },
  { name: 'pdf', test: /\/pdfjs-dist\// },
  // With zod, for forms alone: who reads takes an endpoint's type.
  { name: 'contracts', test: /\/proto-events\/src\/http\// },
];
