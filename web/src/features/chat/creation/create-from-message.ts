import type { Message } from '@atrium/proto-events/http/chat/messages';
import { createContext, use } from 'react';

export type CreatedKind = 'task' | 'meeting';

type CreateFromMessage = {
  canSchedule: boolean;
  create: (kind: CreatedKind, message: Message) => void;
};

/** Provided where tasks and meetings can be created from messages. */
export const CreateFromMessageContext = createContext<CreateFromMessage | null>(null);

export const useCreateFromMessage = () => use(CreateFromMessageContext);
