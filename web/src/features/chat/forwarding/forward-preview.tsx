import { styled } from 'styled-components';
import { clampLines } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';

/** What the forwarded message will show. */
export function ForwardPreview({ name, text }: { name: string; text: string }) {
  return (
    <Quote aria-label="Preview">
      <strong dir="auto">{name}</strong>
      <Excerpt dir="auto">{text}</Excerpt>
    </Quote>
  );
}

const Quote = styled.blockquote`
  display: grid;
  gap: 2px;
  margin: 0;
  padding: ${theme.space[2]} ${theme.space[3]};
  border-inline-start: 3px solid ${theme.color.lineStrong};
  border-radius: ${theme.radius.sm};
  background: ${theme.color.ground};
  font: ${theme.text.sm};
  strong {
    font-weight: 600;
    overflow-wrap: anywhere;
  }
`;

const Excerpt = styled.span`
  ${clampLines(3)}
  color: ${theme.color.text2};
  overflow-wrap: anywhere;
`;
