import { css } from 'styled-components';
import { theme } from '#ui/theme.ts';

export const blockStyles = css`
  > * + *,
  blockquote > * + *,
  li > p + p {
    margin-top: 6px;
  }
  em {
    font-style: italic;
  }
  strong {
    font-weight: 600;
  }
  ul,
  ol {
    padding-inline-start: ${theme.space[6]};
    white-space: normal;
  }
  ul {
    list-style: disc;
  }
  ul ul {
    list-style: circle;
  }
  ol {
    list-style: decimal;
    font-variant-numeric: tabular-nums;
  }
  li {
    white-space: pre-wrap;
    &::marker {
      color: ${theme.color.text3};
    }
  }
  blockquote {
    margin-inline: 0;
    margin-bottom: 0;
    padding-inline-start: ${theme.space[3]};
    border-inline-start: 3px solid ${theme.color.line};
    color: ${theme.color.text2};
  }
  code {
    padding: 1px 4px;
    border: 1px solid ${theme.color.line};
    border-radius: ${theme.radius.sm};
    background: ${theme.color.sunken};
    font: ${theme.text.mono};
    box-decoration-break: clone;
  }
  table {
    border-collapse: collapse;
    white-space: normal;
  }
  th,
  td {
    padding: ${theme.space[1]} ${theme.space[3]};
    border: 1px solid ${theme.color.line};
    overflow-wrap: normal;
  }
  th {
    background: ${theme.color.sunken};
    font-weight: 600;
  }
  hr {
    margin-block: ${theme.space[2]};
    border: 0;
    border-top: 1px solid ${theme.color.line};
  }
`;
