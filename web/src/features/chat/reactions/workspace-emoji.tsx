import { styled } from 'styled-components';
import { CustomEmojiImage } from '#entities/emoji/custom-emoji-image.tsx';
import { useEmojiList } from '#entities/emoji/use-custom-emoji.ts';
import { bareButton } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';

type Props = { search: string; onPick: (emoji: string) => void };

/** The emoji of the workspace above those of Unicode, as far as their names match the search. */
export function WorkspaceEmoji({ search, onPick }: Props) {
  const words = search.trim().toLowerCase().replaceAll(':', '').split(/\s+/);
  const found = useEmojiList().data?.data.filter(({ name }) => words.every((word) => name.includes(word))) ?? [];
  if (found.length === 0) return null;
  return (
    <Section aria-labelledby="workspace-emoji">
      <h3 id="workspace-emoji">Workspace</h3>
      <Grid>
        {found.map((emoji) => (
          <button
            key={emoji._id}
            type="button"
            aria-label={emoji.name}
            title={emoji.name}
            onClick={() => onPick(`:${emoji.name}:`)}
          >
            <CustomEmojiImage emoji={emoji} size={24} />
          </button>
        ))}
      </Grid>
    </Section>
  );
}

const Section = styled.section`
  flex: none;
  margin: 0 ${theme.space[1]};
  border-bottom: 1px solid ${theme.color.line};
  > h3 {
    padding: 6px ${theme.space[2]};
    font: 500 ${theme.text.xs};
    color: ${theme.color.text3};
  }
`;

/** Two rows and the beginning of the third, so that there is space for other emoji. */
const Grid = styled.div`
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(36px, 1fr));
  max-height: 92px;
  overflow-y: auto;
  > button {
    ${bareButton}
    display: grid;
    place-items: center;
    height: 36px;
    padding: 0;
    border-radius: ${theme.radius.md};
    font: ${theme.text.xs};
    overflow: hidden;
    &:hover,
    &:focus-visible {
      background: ${theme.color.hover};
      box-shadow: inset 0 0 0 1px ${theme.color.line};
      outline: none;
    }
  }
`;
