import type { Document, FoundDocument, Snippet } from '@atrium/proto-events/http/documents';
import { Globe, Lock, UsersRound } from 'lucide-react';
import { Button } from 'react-aria-components/Button';
import { styled } from 'styled-components';
import { describeAge, describeSize, VISIBILITY_LABELS } from '#entities/document/document-labels.ts';
import { FileIcon } from '#entities/document/file-icon.tsx';
import { Avatar } from '#entities/user/avatar.tsx';
import { displayName } from '#entities/user/user-labels.ts';
import { useNow } from '#lib/hooks/use-now.ts';
import { useCurrentUser } from '#lib/session/session.ts';
import { Box, Caption, Inline, Text } from '#ui/layout/primitives.ts';
import { bareButton, captionStyles, clampLines, inlineStyles } from '#ui/mixins.ts';
import { CardSurface } from '#ui/pages/card.tsx';
import { Pill } from '#ui/pill.tsx';
import { TextButton } from '#ui/text-button.tsx';
import { theme } from '#ui/theme.ts';
import { PrintedText } from '#ui/times/printed-text.tsx';
import { fullTime, shortDate } from '#ui/times/time-format.ts';
import { CardActions, type CardActionsProps } from './card-actions.tsx';
import { CardBand } from './card-band.tsx';

const MAX_TAGS = 2;

type Props = CardActionsProps & {
  document: FoundDocument;
  /** Reserves space for a thumbnail, because a card of the list has one. */
  hasBand: boolean;
  onTag: (tag: string) => void;
};

export function DocumentCard({ hasBand, onTag, ...props }: Props) {
  const { document, onAction } = props;
  return (
    <Root as="article" aria-label={document.name}>
      {hasBand && <CardBand document={document} onPress={() => onAction('preview', document)} />}
      <Inline as="header" $gap={3} $align="start">
        <FileIcon mimetype={document.mimetype} />
        <Box $flex="fill">
          <Text as="h3" $clamp={1} $size="md" $weight={500} title={document.name} dir="auto">
            <TextButton aria-label={`Preview ${document.name}`} onPress={() => onAction('preview', document)}>
              {document.name}
            </TextButton>
          </Text>
          <Text $size="sm" $tone="text2" $tabular $block>
            {document.fileLost ? 'The file is no longer in storage' : describeSize(document.size)}
          </Text>
        </Box>
        <VisibilityPill visibility={document.visibility} />
      </Inline>
      <TextColumn>
        {document.description && (
          <Text as="p" $clamp={2} $tone="text2" title={document.description} dir="auto">
            {document.description}
          </Text>
        )}
        <TextLines document={document} />
        <Tags tags={document.tags} onTag={onTag} />
      </TextColumn>
      <Footer>
        <Uploader document={document} />
        <CardActions {...props} />
      </Footer>
    </Root>
  );
}

function Tags({ tags, onTag }: Pick<Document, 'tags'> & Pick<Props, 'onTag'>) {
  const hiddenTags = tags.slice(MAX_TAGS);
  if (tags.length === 0) return null;
  return (
    <TagRow aria-label="Tags">
      {tags.slice(0, MAX_TAGS).map((tag) => (
        <li key={tag}>
          <TagButton aria-label={`Show documents with the tag ${tag}`} onPress={() => onTag(tag)}>
            <Pill hasDot={false} title={tag}>
              <TagName dir="auto">{tag}</TagName>
            </Pill>
          </TagButton>
        </li>
      ))}
      {hiddenTags.length > 0 && (
        <li>
          <Pill hasDot={false} title={hiddenTags.join(', ')}>
            +{hiddenTags.length}
          </Pill>
        </li>
      )}
    </TagRow>
  );
}

function Uploader({ document }: { document: Document }) {
  const isOwn = useCurrentUser()._id === document.uploadedBy._id;
  const name = displayName(document.uploadedBy);
  return (
    <UploaderRow>
      <Avatar user={document.uploadedBy} size={28} />
      <div>
        <UploaderName title={name}>
          <bdi>{name}</bdi>
          {isOwn && <span> (You)</span>}
        </UploaderName>
        <Text
          $size="sm"
          $tone="text2"
          $tabular
          $block
          as="time"
          dateTime={document.createdAt}
          title={fullTime(document.createdAt)}
        >
          <PrintedText text={describeAge(document.createdAt, useNow())} printed={shortDate(document.createdAt)} />
        </Text>
      </div>
    </UploaderRow>
  );
}

const ICONS = { private: <Lock />, team: <UsersRound />, public: <Globe /> };
const VISIBILITY_TEXTS = {
  private: 'Visible to its uploader, people it is shared with, and administrators',
  team: 'Visible to project members, or to everyone if it has no project',
  public: 'Visible to everyone who is signed in',
};

function VisibilityPill({ visibility }: Pick<Document, 'visibility'>) {
  return (
    <Pill
      icon={ICONS[visibility]}
      title={VISIBILITY_TEXTS[visibility]}
      tone={visibility === 'public' ? 'info' : 'neutral'}
    >
      {VISIBILITY_LABELS[visibility]}
    </Pill>
  );
}

const TEXT_STATUS_TEXTS = {
  pending: 'Not indexed yet. Search finds it by name only.',
  failed: 'The text could not be read. Search finds it by name only.',
};

function TextLines({ document: { snippet, text } }: { document: FoundDocument }) {
  if (snippet) return <Found>{splitMatches(snippet)}</Found>;
  return text === 'pending' || text === 'failed' ? <Caption $tone="text3">{TEXT_STATUS_TEXTS[text]}</Caption> : null;
}

/** Renders text, never HTML. */
function splitMatches({ text, marks }: Snippet) {
  let end = 0;
  const segments = marks.flatMap((mark) => {
    const before = text.slice(end, mark.start);
    end = mark.end;
    return [before, <Mark key={mark.start}>{text.slice(mark.start, mark.end)}</Mark>];
  });
  return [...segments, text.slice(end)];
}

const Root = styled(CardSurface)`
  display: flex;
  flex-direction: column;
  gap: ${theme.space[3]};
  padding: ${theme.space[4]};
`;

const UploaderName = styled.span`
  display: flex;
  gap: 0.3em;
  white-space: nowrap;
  > bdi {
    overflow: hidden;
    text-overflow: ellipsis;
  }
  > span {
    flex: none;
  }
`;

/* Takes the remaining space, so that the footers of a row of cards align. */
const TextColumn = styled.div`
  flex: 1;
  display: flex;
  flex-direction: column;
  gap: ${theme.space[3]};
`;

const TagRow = styled.ul`
  display: flex;
  gap: 6px;
  min-width: 0;
  margin-top: auto;
  > li {
    min-width: 0;
  }
`;

const TagButton = styled(Button)`
  max-width: 100%;
  padding: 0;
  ${bareButton}
  border-radius: ${theme.radius.full};
`;

const TagName = styled.span`
  max-width: 96px;
  overflow: hidden;
  text-overflow: ellipsis;
`;

const Footer = styled.footer`
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: ${theme.space[2]};
  margin: 0 calc(-1 * ${theme.space[4]}) calc(-1 * ${theme.space[4]});
  padding: ${theme.space[2]} ${theme.space[2]} ${theme.space[2]} ${theme.space[4]};
  border-top: 1px solid ${theme.color.line};
`;

const UploaderRow = styled.div`
  flex: 1 1 120px;
  ${inlineStyles(2)}
  min-width: 0;
  font: ${theme.text.sm};
  > div {
    min-width: 0;
  }
`;

const Found = styled.p`
  ${clampLines(4)}
  /* Affects the text only; the bar stays on its side. */
  unicode-bidi: plaintext;
  padding-inline-start: ${theme.space[3]};
  border-inline-start: 2px solid ${theme.color.line};
  ${captionStyles}
`;

const Mark = styled.mark`
  border-radius: 2px;
  background: ${theme.color.warningSoft};
  color: ${theme.color.text};
`;
