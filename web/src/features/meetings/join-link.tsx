import type { Meeting } from '@atrium/proto-events/http/meetings/meeting-fields';
import { Video } from 'lucide-react';
import { styled } from 'styled-components';
import { type ButtonSize, type ButtonVariant, buttonStyles } from '#ui/button.tsx';
import { theme } from '#ui/theme.ts';

type Props = { meeting: Meeting; size?: ButtonSize; variant?: ButtonVariant };

export function JoinLink({ meeting, size = 'md', variant = 'secondary' }: Props) {
  if (!meeting.meetingLink || meeting.isPast || meeting.isClosed) return null;
  return (
    <Root
      href={meeting.meetingLink}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={`Join ${meeting.title}`}
      $size={size}
      $variant={variant}
      $full={false}
    >
      <Video aria-hidden="true" />
      Join
    </Root>
  );
}

const Root = styled.a<{ $variant: ButtonVariant; $size: ButtonSize; $full: boolean }>`
  ${buttonStyles}
  &:hover {
    text-decoration: none;
    background: ${({ $variant }) => ($variant === 'primary' ? theme.color.accentHover : theme.color.sunken)};
  }
`;
