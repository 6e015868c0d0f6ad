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
    test: /\/src\/(ui\/(notice|progress-bar|user-text|pages\/(async-content|skeleton)|times\/time-format)|lib\/(delayed-tasks|hooks\/use-(now|overlay-history)|query\/use-(read|infinite-pages))|realtime\/use-invalidate)\.tsx?$/,
  },
  { name: 'home', test: /\/app\/routes\/dashboard\.tsx$/ },
  { name: 'live', test: /\/app\/shell\/start-live-sync\.ts$/ },
  // What reads the entities is a few lines each, which most screens share some of; documents, files that are looked at
  // and meetings are read by their own. So are the files and links of a conversation, which listen to the socket: what
  // reads nothing live is drawn without it.
  {
    name: 'reads',
    test: /\/src\/entities\/(?!document|file-viewer|meeting)[\w-]+\/use-(?!message-events|conversation-(files|links))[\w-]+\.ts$/,
  },
  // Screens of lists and boards: what they filter with, and the small parts that most of them have.
  {
    name: 'fields',
    test: /\/ui\/fields\/(select|search-field|checkbox)\.tsx$|\/react-aria-components\/dist\/private\/ToggleButton(Group)?\.|\/react-aria\/dist\/private\/(focus\/useHasTabbableChild|utils\/useUpdateEffect)/,
  },
  {
    name: 'lists',
    test: /\/src\/(ui\/(filter-bar|fold|pages\/(show-more|skeleton-cards)|forms\/self-removing-button|fields\/text-area)|lib\/(format-count|new-uuid|forms\/is-composing|hooks\/use-(debounced|is-printing|media|idempotency-key|url-state)|query\/load-more-props)|realtime\/use-cache-update|entities\/(conversation\/conversation|document\/document|meeting\/meeting)-labels|entities\/user\/people-options)\.tsx?$/,
  },
  { name: 'files', test: /\/src\/(entities\/document\/(save-file|file-row)\.tsx?|preview-kind\.ts)$/ },
  { name: 'icons', test: /\/lucide-react\/dist\/esm\/icons\//, minShareCount: 2 },
  { name: 'pdf', test: /\/pdfjs-dist\// },
  // What screens and contracts do with text, without which a screen would load all contracts.
  { name: 'text', test: /\/proto-events\/src\/text\// },
  // With zod, for forms alone: who reads takes an endpoint's type.
  { name: 'contracts', test: /\/proto-events\/src\/http\// },
];
