import { useEffect } from 'react';
import { ChatScreen } from '../../features/chat/chat-screen.tsx';

export default function Chat() {
  useEffect(() => {
    document.title = 'Team Chat · Atrium';
  }, []);
  return <ChatScreen />;
}
