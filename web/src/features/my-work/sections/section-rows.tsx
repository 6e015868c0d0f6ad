import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { styled } from 'styled-components';
import { messageOf } from '#lib/api/api-error.ts';
import { Button } from '#ui/button.tsx';
import { TwoLineText } from '#ui/layout/primitives.ts';
import { alignWithParent, inlineStyles, rowLink } from '#ui/mixins.ts';
import type { Query } from '#ui/pages/async-content.tsx';
import { theme } from '#ui/theme.ts';

type RowProps = {
  to: string;
  leading: ReactNode;
  title: ReactNode;
  detail: ReactNode;
  trailing?: ReactNode;
  isUnread?: boolean;
  onFollow?: () => void;
};

/** A row that is a link, with a title above a detail. */
export function SectionRow({ to, leading, title, detail, trailing, isUnread = false, onFollow }: RowProps) {
  return (
    <li>
      <RowLink to={to} {...(onFollow && { onClick: onFollow })}>
        {leading}
        <TwoLineText $flex="fill">
          <Title dir="auto" $isUnread={isUnread}>
            {title}
          </Title>
          <small>{detail}</small>
        </TwoLineText>
        {trailing}
      </RowLink>
    </li>
  );
}

const RowLink = styled(Link)`
  ${inlineStyles(3)}
  min-height: 60px;
  padding: ${theme.space[2]} ${theme.gutter.card};
  ${rowLink}
`;

const Title = styled.strong<{ $isUnread: boolean }>`
  ${alignWithParent}
  && {
    font-weight: ${({ $isUnread }) => ($isUnread ? 600 : 500)};
  }
`;

type SourceProps = { query: Query<unknown>; failure: string };

/** One of several sources of a section that failed, while others are shown. */
export function FailedSource({ query, failure }: SourceProps) {
  const { data, error, isValidating, mutate } = query;
  if (data !== undefined || error === undefined) return null;
  return (
    <Failed role="alert">
      <CircleAlert aria-hidden="true" />
      <span title={messageOf(error, failure)}>{failure}</span>
      <Button size="sm" isBusy={isValidating} onPress={() => void mutate()}>
        Retry
      </Button>
    </Failed>
  );
}

const Failed = styled.div`
  ${inlineStyles(3)}
  padding: ${theme.space[3]} ${theme.gutter.card};
  color: ${theme.color.text2};
  svg {
    width: 16px;
    height: 16px;
    color: ${theme.color.danger};
  }
  > span {
    flex: 1;
  }
`;

/** Whether every source is loading, so that nothing can be shown yet. */
export const areLoading = (...queries: readonly Query<unknown>[]): boolean =>
  queries.every(({ data, error }) => data === undefined && error === undefined);

export const haveLoaded = (...queries: readonly Query<unknown>[]): boolean =>
  queries.every(({ data }) => data !== undefined);
