import { projectCreated, projectDeleted, projectUpdated } from '@atrium/proto-events/events/projects';
import { on, subscription } from '@atrium/service-kit/messaging/subscription';
import type { PollingLoop } from '@atrium/service-kit/process/polling-loop';
import type { PostgresService } from '@atrium/service-kit/process/service-parts';
import type { Config } from './config.ts';
import { openProjectConversation } from './conversations/on-project-created.ts';
import { deleteProjectConversation } from './conversations/on-project-deleted.ts';
import { updateProjectConversation } from './conversations/on-project-updated.ts';
import { startRemovingMessages } from './conversations/remove-messages.ts';
import { conversationRoutes } from './conversations/routes.ts';
import type { Deps } from './deps.ts';
import { messageRoutes } from './messages/routes.ts';
import { startRealtime } from './realtime/start-realtime.ts';

/** The service: its routes and its sockets over one set of use cases. */
export const chatService: PostgresService<Config> = {
  name: 'chat',
  migrations: new URL('../migrations', import.meta.url),
  create(kit) {
    const realtime = startRealtime(kit);
    let removing: PollingLoop | undefined;
    const deps: Deps = { db: kit.db, directory: kit.directory, projects: kit.projects, announce: realtime.announce };
    return {
      projects: true,
      routes: [...conversationRoutes(deps), ...messageRoutes(deps)],
      subscriptions: [
        // Each handler has its own transaction and guards itself by the project's version: sockets are told after the commit.
        subscription({
          name: 'project-conversations',
          from: 'all',
          inbox: false,
          reactions: [
            on(projectCreated, openProjectConversation(deps)),
            on(projectUpdated, updateProjectConversation(deps)),
            on(projectDeleted, deleteProjectConversation(deps)),
          ],
        }),
        ...realtime.subscriptions,
      ],
      checks: realtime.checks,
      attach: realtime.attach,
      onReady: async () => {
        removing = startRemovingMessages(kit.db, kit.log);
        await realtime.begin();
      },
      async close() {
        await removing?.close();
        await realtime.close();
      },
    };
  },
};
