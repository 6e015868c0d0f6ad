import { ChatScreen } from '#features/chat/chat-screen.tsx';
import { useTitle } from '../router/use-title.ts';

export default function Chat() {
  useTitle('Team Chat');
  return <ChatScreen />;
}
