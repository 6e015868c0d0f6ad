import { LONGEST_UPLOAD_MS, openFiles } from '@atrium/object-store/open-files';
import { createPictureMaker } from '@atrium/object-store/thumbnails/thumbnail-worker';
import { meetingClosed, meetingReopened } from '@atrium/proto-events/events/meeting-closing';
import { projectCreated, projectDeleted, projectUpdated } from '@atrium/proto-events/events/projects';
import { userDeparted } from '@atrium/proto-events/events/users';
import { on, subscription } from '@atrium/service-kit/messaging/subscription';
import type { PollingLoop } from '@atrium/service-kit/process/polling-loop';
import type { PostgresService } from '@atrium/service-kit/process/service-definition';
import { attachmentRoutes } from './attachments/routes.ts';
import { TAKEN_OVER } from './attachments/save-attachment.ts';
import { createSaveOutcomes } from './attachments/save-outcomes.ts';
import { KEY_PREFIX } from './attachments/send-files.ts';
import type { Config } from './config.ts';
import { openProjectConversation } from './conversations/on-project-created.ts';
import { deleteProjectConversation } from './conversations/on-project-deleted.ts';
import { updateProjectConversation } from './conversations/on-project-updated.ts';
import { removeDepartedParticipant } from './conversations/on-user-departed.ts';
import { startRemovingMessages } from './conversations/remove-messages.ts';
import { conversationRoutes } from './conversations/routes.ts';
import type { Deps } from './deps.ts';
import { messageRoutes } from './messages/routes.ts';
import { startAnnouncing } from './realtime/start-broadcasting.ts';
import { startRealtime } from './realtime/start-realtime.ts';
import { postSummary } from './summaries/on-meeting-closed.ts';
import { removeSummary } from './summaries/on-meeting-reopened.ts';

/** What has the files, as a person without room is told. */
const OF_CHAT = { what: 'files in chat', wayOut: 'Delete messages whose files you no longer need' };

/** The service: its routes and its sockets over one set of use cases. A pod for files alone has no sockets. */
export const chatService: PostgresService<Config> = {
  name: 'chat',
  migrations: new URL('../migrations', import.meta.url),
  create(kit) {
    const { config, db, directory, projects, log, metrics } = kit;
    const files = openFiles({ config, db, log, registry: metrics.registry, prefix: KEY_PREFIX, of: OF_CHAT });
    const pictures = createPictureMaker({ db, store: files.store, remover: files.remover, log });
    const announcing = startAnnouncing(kit);
    const deps: Deps = {
      db,
      directory,
      projects,
      files,
      pictures,
      announce: announcing.broadcaster,
      maxGroupsPerDay: config.MAX_GROUPS_PER_USER_PER_DAY,
      saves: createSaveOutcomes(),
    };
    const realtime = config.CHAT_ROLE === 'files' ? undefined : startRealtime(kit, announcing, deps);
    let removing: PollingLoop | undefined;
    return {
      projects: true,
      routes: [...conversationRoutes(deps), ...messageRoutes(deps), ...attachmentRoutes(deps)],
      outdated: [TAKEN_OVER],
      subscriptions: realtime
        ? [followProjects(deps), followMeetings(deps), followDepartures(deps), ...realtime.subscriptions]
        : [],
      checks: [...announcing.checks, ...files.checks, ...(realtime?.checks ?? [])],
      longestRequestMs: LONGEST_UPLOAD_MS,
      ...(realtime && { attach: realtime.attach }),
      onReady: async () => {
        removing = startRemovingMessages(db, log);
        files.begin();
        // Beside pods for files nothing is drawn where the sockets are.
        if (config.CHAT_ROLE !== 'sockets') pictures.start();
        await realtime?.begin();
      },
      async close() {
        await Promise.all([removing?.close(), pictures.close()]);
        await realtime?.close();
      },
      async end() {
        // Not before: what a request that ends late sends, or an event makes, other pods are told of by Redis.
        announcing.close();
        await files.close();
      },
    };
  },
};

/** Each handler has its own transaction and guards itself by the project's version: sockets are told after the commit. */
const followProjects = (deps: Deps) =>
  subscription({
    name: 'project-conversations',
    from: 'all',
    inbox: false,
    reactions: [
      on(projectCreated, openProjectConversation(deps)),
      on(projectUpdated, updateProjectConversation(deps)),
      on(projectDeleted, deleteProjectConversation(deps)),
    ],
  });

/** As above: the message and its answer are one transaction, which a repeat finds. */
const followMeetings = (deps: Deps) =>
  subscription({
    name: 'summaries',
    from: 'all',
    inbox: false,
    reactions: [on(meetingClosed, postSummary(deps)), on(meetingReopened, removeSummary(deps))],
  });

/** As above: each conversation is its own transaction. */
const followDepartures = (deps: Deps) =>
  subscription({
    name: 'departures',
    from: 'all',
    inbox: false,
    reactions: [on(userDeparted, removeDepartedParticipant(deps))],
  });
