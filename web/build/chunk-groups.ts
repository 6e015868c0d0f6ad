/**
 * Each group is one file with its imports. By default, every module shared by two screens would become a small chunk,
 * and small files compress badly. The first matching group wins.
 */
export const chunkGroups = [
  // Many visits start with signing in, which then needs no other chunk.
  { name: 'start', test: /\/app\/(main|routes\/login)\.tsx$/ },
  { name: 'shell', test: /\/app\/shell\/shell\.tsx$/ },
  // Contains modules that the dashboard and Team Chat, where most visits start, share with other screens.
  {
    name: 'basics',
    test: /\/src\/(ui\/(layout\/primitives|notice|pages\/(async-content|progress-bar|skeleton)|times\/time-format)|lib\/(delayed-tasks|hooks\/use-(now|overlay-history)|query\/use-(read|refetch|infinite-pages))|entities\/user\/roles)\.tsx?$/,
  },
  // Contain what menus share with them, so that Team Chat needs no menu before the user opens one.
  { name: 'tooltip', test: /\/ui\/overlays\/tooltip\.tsx$|\/react-aria-components\/dist\/private\/FileTrigger\./ },
  // Contains what opens over a screen. Neither the shell nor the dashboard needs it before the user opens something.
  { name: 'overlays', test: /\/ui\/overlays\/(menu|modal-frame)\.tsx$/ },
  // Contains the rules of lists, for the user's own writes and for those of others, without the socket.
  {
    name: 'changes',
    test: /\/src\/(realtime\/(live-changes|use-write)|entities\/conversation\/conversation(-edits)?)\.ts$/,
  },
  { name: 'home', test: /\/app\/routes\/dashboard\.tsx$/ },
  { name: 'live', test: /\/app\/shell\/start-live-sync\.ts$/ },
  // Hooks that read entities are small and widely shared. Meetings and documents have their own. The hooks for the
  // events and files of a conversation depend on the socket, which other screens load after they are rendered.
  {
    name: 'reads',
    test: /\/src\/entities\/(?!meeting|document)[\w-]+\/use-(?!chat-listeners|attachment-limits|custom-emoji|conversation-files|known-conversations|message|older-pages|threads|pins|channels|participants|scheduled|notices|task-actions|own-tasks|own-projects|project-names|mentions)[\w-]+\.ts$/,
  },
  // Contains the filters and small components of screens with lists and boards.
  {
    name: 'fields',
    test: /\/ui\/fields\/(select|search-field)\.tsx$|\/react-aria-components\/dist\/private\/(Checkbox|ToggleButton(Group)?)\.|\/react-aria\/dist\/private\/(focus\/useHasTabbableChild|utils\/useUpdateEffect)/,
  },
  {
    name: 'lists',
    test: /\/src\/(ui\/(filter-bar|collapsible|pages\/(show-more|skeleton-cards)|forms\/self-removing-button|fields\/text-area|overlays\/use-action)|lib\/(new-uuid|settings-titles|forms\/is-composing|hooks\/use-(debounced|media|idempotency-key|url-state)|query\/paging)|entities\/(conversation\/conversation-labels|message\/message-path|(document\/document|meeting\/meeting)-labels)|entities\/user\/user-options)\.tsx?$/,
  },
  // Contains what screens that show and upload files share.
  {
    name: 'files',
    test: /\/src\/(entities\/(document\/(download-file|file-icon|file-row|linked-documents)|file-viewer\/viewed-file)|lib\/(picture-failure|api\/upload|hooks\/use-object-url|sending\/(retry-while|send-queue))|ui\/(text-button|files\/(has-files|use-file-drop))|preview-kind)\.tsx?$/,
  },
  { name: 'icons', test: /\/lucide-react\/dist\/esm\/icons\//, minShareCount: 2 },
  { name: 'document-reads', test: /\/src\/entities\/document\/use-[\w-]+\.ts$/ },
  // Contains what the board shares with the dialogs of tasks.
  {
    name: 'tasks',
    test: /\/src\/(entities\/task\/(task-(icons|labels)|use-task-actions|split-title)|features\/tasks\/assignees)\.tsx?$/,
  },
  // Otherwise My Work, which lists threads, would load Team Chat.
  { name: 'threads', test: /\/src\/entities\/message\/use-threads\.ts$/ },
  { name: 'pdf', test: /\/pdfjs-dist\// },
  // Separates text functions from contracts; otherwise a screen that needs one would load all contracts.
  { name: 'message-query', test: /\/proto-events\/src\/text\/message-query\.ts$/ },
  { name: 'text', test: /\/proto-events\/src\/text\/(?!decoder)/ },
  { name: 'virtua', test: /\/virtua\// },
  // Contains what the dialogs and menus of Team Chat share with it. What other screens share is in the groups before.
  { name: 'chat', test: /\/app\/routes\/chat\.tsx$/ },
  // Includes zod. Only forms need it, because reads use endpoint types.
  { name: 'contracts', test: /\/proto-events\/src\/http\// },
];
