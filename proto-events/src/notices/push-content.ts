// Service workers and the notifications service share this module, so it has no schemas.

/**
 * What a push message contains. `tag` is the id of the notification, by which a device replaces or withdraws it;
 * `unreadCount` is the number that the app shows on its icon.
 */
export type PushContent =
  | {
      action: 'show';
      tag: string;
      title: string;
      /** Empty if there is nothing to add, or if the workspace keeps the text of messages off devices. */
      text: string;
      /** Of the page of the app to open. */
      path: string;
      at: string;
      unreadCount: number;
    }
  | { action: 'withdraw'; tag: string; unreadCount: number };
