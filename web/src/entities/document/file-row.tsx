import { isolate } from '@atrium/proto-events/text/isolate';
import type { ReactNode } from 'react';
import { styled } from 'styled-components';
import { theme } from '#ui/theme.ts';
import { UserText } from '#ui/user-text.tsx';

type Props = {
  icon: ReactNode;
  title: ReactNode;
  details: readonly string[];
  children: ReactNode;
};

/** A file in a dialog's list. */
export function FileRow({ icon, title, details, children }: Props) {
  return (
    <Row>
      {icon}
      <TextColumn>
        <Title>
          <UserText>{title}</UserText>
        </Title>
        <Details>{details.map(isolate).join(' · ')}</Details>
      </TextColumn>
      <Buttons>{children}</Buttons>
    </Row>
  );
}

export const FileList = styled.ul`
  display: grid;
  gap: ${theme.space[2]};
  > * {
    min-width: 0;
  }
`;

const Row = styled.div`
  display: flex;
  align-items: center;
  gap: ${theme.space[3]};
`;

const TextColumn = styled.div`
  flex: 1;
  min-width: 0;
`;

const Title = styled.p`
  display: flex;
  align-items: center;
  gap: ${theme.space[2]};
  overflow-wrap: anywhere;
  > * {
    min-width: 0;
  }
`;

const Details = styled.p`
  font: ${theme.text.sm};
  color: ${theme.color.text2};
  overflow-wrap: anywhere;
`;

const Buttons = styled.div`
  display: flex;
  flex: none;
`;
