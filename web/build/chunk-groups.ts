type ChunkGroup = {
  name: string;
  /** Paths without extensions, below a `src` folder or in a package; all modules of a folder if they end with a slash. */
  modules: string[];
  except?: string[];
  minShareCount?: number;
};

/** Whether a file is one of these modules. */
export function isModule(file: string, paths: readonly string[]): boolean {
  const name = file.slice(0, file.lastIndexOf('.'));
  return paths.some((path) =>
    ['src', 'node_modules'].some((root) =>
      path.endsWith('/') ? name.includes(`/${root}/${path}`) : name.endsWith(`/${root}/${path}`),
    ),
  );
}

/**
 * Each group is one file with its imports. By default, every module shared by two screens would become a small chunk:
 * each is a request, which takes milliseconds of a phone's CPU, and small files compress badly. The first matching
 * group wins.
 */
export const chunkGroups: ChunkGroup[] = [
  // Many visits start with signing in, which then needs no other chunk.
  { name: 'start', modules: ['app/main', 'app/routes/login'] },
  { name: 'shell', modules: ['app/shell/shell'] },
  // Contains modules that the dashboard and Team Chat, where most visits start, share with other screens.
  {
    name: 'basics',
    modules: [
      'entities/priority',
      'entities/user/avatar-stack',
      'entities/user/roles',
      'lib/delayed-tasks',
      'lib/hooks/use-now',
      'lib/hooks/use-overlay-history',
      'lib/hooks/use-stable-order',
      'lib/query/use-infinite-pages',
      'lib/query/use-read',
      'lib/query/use-refetch',
      'ui/button-link',
      'ui/layout/primitives',
      'ui/notice',
      'ui/pages/async-content',
      'ui/pages/page',
      'ui/pages/progress-bar',
      'ui/pages/skeleton',
      'ui/pill',
      'ui/times/time-format',
    ],
  },
  // Contain what menus share with them, so that Team Chat needs no menu before the user opens one.
  { name: 'tooltip', modules: ['ui/overlays/tooltip', 'react-aria-components/dist/private/FileTrigger'] },
  // Contains what opens over a screen. Neither the shell nor the dashboard needs it before the user opens something.
  { name: 'overlays', modules: ['ui/overlays/menu', 'ui/overlays/modal-frame'] },
  // Contains the rules of lists, for the user's own writes and for those of others, without the socket.
  {
    name: 'changes',
    modules: [
      'entities/conversation/conversation',
      'entities/conversation/conversation-edits',
      'realtime/live-changes',
      'realtime/use-write',
    ],
  },
  { name: 'home', modules: ['app/routes/dashboard'] },
  { name: 'live', modules: ['app/shell/start-live-sync'] },
  // Contains the filters and small components of screens with lists and boards.
  {
    name: 'fields',
    modules: [
      'react-aria-components/dist/private/Checkbox',
      'react-aria-components/dist/private/RadioGroup',
      'react-aria-components/dist/private/ToggleButton',
      'react-aria-components/dist/private/ToggleButtonGroup',
      'react-aria/dist/private/focus/useHasTabbableChild',
      'react-aria/dist/private/utils/useUpdateEffect',
      'ui/fields/search-field',
      'ui/fields/select',
      'ui/fields/suggestion-list',
      'ui/segmented-control',
    ],
  },
  // Contains hooks, labels, and small components that screens with lists share. It depends neither on menus nor on the
  // socket, which screens load after they are rendered.
  {
    name: 'lists',
    modules: [
      'entities/conversation/conversation-labels',
      'entities/conversation/use-conversations',
      'entities/conversation/use-project-conversation',
      'entities/department/use-departments',
      'entities/document/document-labels',
      'entities/document/use-document-access',
      'entities/document/use-documents',
      'entities/document/use-shared-documents',
      'entities/meeting/meeting-labels',
      'entities/message/message-path',
      'entities/message/use-threads',
      'entities/notification/notice-level-button',
      'entities/notification/notice-reasons',
      'entities/notification/notification-labels',
      'entities/notification/use-notice-level',
      'entities/project/use-project-history',
      'entities/statistics/use-statistics',
      'entities/task/split-title',
      'entities/task/task-icons',
      'entities/task/task-labels',
      'entities/task/use-task-actions',
      'entities/task/use-tasks',
      'entities/task/use-workload',
      'entities/user/user-options',
      'features/notifications/use-mark-read',
      'features/tasks/assignees',
      'lib/forms/is-composing',
      'lib/hooks/use-debounced',
      'lib/hooks/use-idempotency-key',
      'lib/hooks/use-media',
      'lib/hooks/use-url-state',
      'lib/new-uuid',
      'lib/query/paging',
      'lib/settings-titles',
      'ui/collapsible',
      'ui/fields/text-area',
      'ui/filter-bar',
      'ui/forms/self-removing-button',
      'ui/keep-focus',
      'ui/overlays/use-action',
      'ui/pages/card-pages',
      'ui/pages/pagination',
      'ui/pages/show-more',
      'ui/pages/skeleton-cards',
      'ui/times/relative-time',
    ],
  },
  // Contains what screens that show and upload files share.
  {
    name: 'files',
    modules: [
      'entities/document/download-file',
      'entities/document/file-icon',
      'entities/document/file-row',
      'entities/document/linked-documents',
      'entities/file-viewer/viewed-file',
      'lib/api/upload',
      'lib/hooks/use-object-url',
      'lib/picture-failure',
      'lib/sending/retry-while',
      'lib/sending/send-queue',
      'preview-kind',
      'ui/files/has-files',
      'ui/files/use-file-drop',
      'ui/text-button',
    ],
  },
  { name: 'icons', modules: ['lucide-react/dist/esm/icons/'], minShareCount: 2 },
  { name: 'pdf', modules: ['pdfjs-dist/'] },
  // Separates text functions from contracts; otherwise a screen that needs one would load all contracts.
  { name: 'message-query', modules: ['text/message-query'] },
  { name: 'text', modules: ['text/'], except: ['text/decoder'] },
  { name: 'virtua', modules: ['virtua/'] },
  // Contains what the dialogs and menus of Team Chat share with it. What other screens share is in the groups before.
  { name: 'chat', modules: ['app/routes/chat'] },
  // Includes zod. Only forms need it, because reads use endpoint types.
  { name: 'contracts', modules: ['http/'] },
];
