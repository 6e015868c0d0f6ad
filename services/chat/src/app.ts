import { createFileStorage, MAX_UPLOAD_MS } from '@atrium/object-store/file-storage';
import { createThumbnailQueue } from '@atrium/object-store/thumbnails/thumbnail-queue';
import { meetingClosed, meetingReopened } from '@atrium/proto-events/events/meeting-closing';
import { messageReplied } from '@atrium/proto-events/events/notifications';
import {
  decisionResolved,
  projectCreated,
  projectDeleted,
  projectUpdated,
  taskCreated,
  taskDeleted,
} from '@atrium/proto-events/events/projects';
import { departmentDeleted, userDeactivated } from '@atrium/proto-events/events/users';
import { on, subscription } from '@atrium/service-kit/messaging/subscription';
import type { PollingLoop } from '@atrium/service-kit/process/polling-loop';
import type { PostgresService } from '@atrium/service-kit/service/service-definition';
import type { Config } from './config.ts';
import { removeDeletedGroup } from './conversations/member-groups.ts';
import { deleteProjectConversation, syncProjectConversation } from './conversations/on-project-events.ts';
import { removeDeactivatedUser } from './conversations/on-user-deactivated.ts';
import { startMessageRemoval } from './conversations/remove-messages.ts';
import { createMemberSync } from './conversations/sync-members.ts';
import type { Deps } from './deps.ts';
import { startDueLoop } from './later/due-loop.ts';
import { sendEmailReply } from './messages/on-message-replied.ts';
import { linkTask, unlinkTask } from './messages/on-task-events.ts';
import { KEY_PREFIX } from './messages/send-files.ts';
import { createSaveOutcomes, SAVED_ATTACHMENT_RETENTION } from './model/messages/saved-attachments.ts';
import { recipientsSubscription } from './recipients/on-sent-messages.ts';
import { changeRoutes, chatRoutes } from './routes.ts';
import { startSearchIndexing } from './search/index-messages.ts';
import { startBroadcasting } from './startup/start-broadcasting.ts';
import { startSockets } from './startup/start-sockets.ts';
import { linkDecision } from './summaries/on-decision-resolved.ts';
import { postSummary, removeSummary } from './summaries/on-meeting-events.ts';

const QUOTA_LABELS = { files: 'files in chat', remedy: 'Delete messages whose files you no longer need' };

/**
 * Also serves `/live`, which sends the changes of all services to browsers. Pods with `CHAT_ROLE=files` accept
 * no sockets, and broadcast through Redis.
 */
export const chatService: PostgresService<Config> = {
  name: 'chat',
  migrations: new URL('../migrations', import.meta.url),
  create(context) {
    const { config, db, directory, projects, log, metrics } = context;
    const files = createFileStorage({
      config,
      db,
      log,
      registry: metrics.registry,
      prefix: KEY_PREFIX,
      quotaLabels: QUOTA_LABELS,
    });
    const thumbnailQueue = createThumbnailQueue({ db, store: files.store, remover: files.remover, log });
    const broadcasting = startBroadcasting(context);
    const { broadcaster } = broadcasting;
    const memberSync = createMemberSync({ db, broadcaster, directory, projects, log });
    const deps: Deps = {
      db,
      directory,
      projects,
      files,
      thumbnailQueue,
      broadcaster,
      memberSync,
      log,
      maxGroupsPerDay: config.MAX_GROUPS_PER_USER_PER_DAY,
      saveOutcomes: createSaveOutcomes(),
    };
    const sockets = config.CHAT_ROLE === 'files' ? undefined : startSockets(context, broadcasting, deps);
    let messageRemoval: PollingLoop | undefined;
    let searchIndexing: PollingLoop | undefined;
    let dueLoop: PollingLoop | undefined;
    return {
      needsProjectDirectory: true,
      routes: [...chatRoutes(deps), ...(sockets ? changeRoutes(sockets.changeFeed) : [])],
      retentionRules: [SAVED_ATTACHMENT_RETENTION],
      subscriptions: sockets
        ? [
            ...createSubscriptions(deps),
            recipientsSubscription({
              ...deps,
              filterOnline: sockets.filterOnline,
              showsText: config.NOTIFICATIONS_SHOW_TEXT,
            }),
          ]
        : [],
      checks: [...broadcasting.checks, ...files.checks, ...(sockets?.checks ?? [])],
      maxRequestMs: MAX_UPLOAD_MS,
      ...(sockets && { attach: sockets.attach }),
      onReady: async () => {
        messageRemoval = startMessageRemoval(db, log);
        searchIndexing = startSearchIndexing(db, log);
        memberSync.start();
        dueLoop = startDueLoop(deps, log);
        files.start();
        if (config.CHAT_ROLE !== 'sockets') thumbnailQueue.start();
        await sockets?.start();
      },
      async beforeShutdown() {
        await Promise.all([
          memberSync.close(),
          messageRemoval?.close(),
          searchIndexing?.close(),
          dueLoop?.close(),
          thumbnailQueue.close(),
        ]);
        await sockets?.close();
      },
      async afterShutdown() {
        // Closes these last, because requests and events in progress still broadcast through Redis.
        broadcasting.close();
        await files.close();
      },
    };
  },
};

/**
 * Events for live updates are not among these, because every pod follows them (`live-updates/consume-events.ts`). The
 * handlers bypass the inbox: each runs transactions, detects redeliveries, and broadcasts after the commit.
 */
const createSubscriptions = (deps: Deps) => [
  subscription({
    name: 'project-conversations',
    from: 'all',
    inbox: false,
    handlers: [
      on(projectCreated, ({ data, actorId }) =>
        syncProjectConversation(deps, data, { actorId, createdBy: data.createdBy }),
      ),
      // Creates the conversation if the project's creation has not been processed.
      on(projectUpdated, ({ data, actorId }) => syncProjectConversation(deps, data, { actorId, createdBy: null })),
      on(projectDeleted, async (event) => {
        await deleteProjectConversation(deps)(event);
        await removeDeletedGroup(deps)(event);
      }),
    ],
  }),
  subscription({
    name: 'tasks',
    from: 'all',
    inbox: false,
    handlers: [
      on(taskCreated, linkTask(deps)),
      on(taskDeleted, unlinkTask(deps)),
      on(decisionResolved, linkDecision(deps)),
    ],
  }),
  subscription({
    name: 'summaries',
    from: 'all',
    inbox: false,
    handlers: [on(meetingClosed, postSummary(deps)), on(meetingReopened, removeSummary(deps))],
  }),
  subscription({ name: 'replies', from: 'all', inbox: false, handlers: [on(messageReplied, sendEmailReply(deps))] }),
  subscription({
    name: 'departures',
    from: 'all',
    inbox: false,
    handlers: [on(userDeactivated, removeDeactivatedUser(deps))],
  }),
  subscription({
    name: 'deleted-departments',
    from: 'all',
    inbox: false,
    handlers: [on(departmentDeleted, removeDeletedGroup(deps))],
  }),
];
