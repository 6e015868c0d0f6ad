import type { Message } from '@atrium/proto-events/http/chat/messages';
import { CornerUpRight } from 'lucide-react';
import { styled } from 'styled-components';
import { labelsOf } from '#entities/conversation/mention-labels.ts';
import { displayName } from '#entities/user/user-labels.ts';
import { iconSize } from '#ui/mixins.ts';
import { TextButton } from '#ui/text-button.tsx';
import { theme } from '#ui/theme.ts';
import { RelativeTime } from '#ui/times/relative-time.tsx';
import { MessageContent } from '../markdown/message-content.tsx';
import { useViewOriginal } from './use-view-original.ts';

type Props = { message: Pick<Message, '_id'>; forwarded: NonNullable<Message['forwarded']> };

/** A quiet quote of what a message forwards. */
export function ForwardedMessage({ message, forwarded }: Props) {
  const view = useViewOriginal(message._id, forwarded);
  return (
    <Quote aria-label={`Forwarded message from ${displayName(forwarded.sender)}`}>
      <Head>
        <CornerUpRight aria-hidden="true" />
        <strong dir="auto">{displayName(forwarded.sender)}</strong>
        <RelativeTime time={forwarded.createdAt} />
        {view && (
          <View onPress={() => void view.run()} aria-busy={view.isBusy || undefined}>
            View original
          </View>
        )}
      </Head>
      {forwarded.content && <MessageContent content={forwarded.content} labels={labelsOf(forwarded.mentions)} />}
    </Quote>
  );
}

const Quote = styled.blockquote`
  display: grid;
  gap: 2px;
  max-width: 640px;
  margin: ${theme.space[1]} 0;
  padding: 2px 0 2px ${theme.space[3]};
  border-inline-start: 3px solid ${theme.color.lineStrong};
`;

const Head = styled.div`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0 6px;
  font: ${theme.text.xs};
  color: ${theme.color.text2};
  ${iconSize(13)}
  strong {
    font-weight: 600;
    color: ${theme.color.text};
    overflow-wrap: anywhere;
  }
`;

const View = styled(TextButton)`
  position: relative;
  color: ${theme.color.accent};
  text-decoration: underline;
  text-underline-offset: 2px;
  ${theme.media.small} {
    /* Extends the target to 44 pixels. */
    overflow: visible;
    &::after {
      content: '';
      position: absolute;
      inset: -14px -4px;
    }
  }
`;
