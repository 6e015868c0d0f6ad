import { css } from 'styled-components';
import { theme } from '#ui/theme.ts';

export const markdownStyles = css`
  overflow-wrap: anywhere;
  line-height: 1.6;
  > * + * {
    margin-top: ${theme.space[3]};
  }
  h1,
  h2,
  h3,
  h4,
  h5,
  h6 {
    margin-top: ${theme.space[6]};
    line-height: 1.3;
  }
  > :first-child {
    margin-top: 0;
  }
  ul,
  ol {
    padding-inline-start: ${theme.space[6]};
  }
  li.task-list-item {
    list-style: none;
  }
  blockquote {
    margin-inline: 0;
    padding-inline-start: ${theme.space[4]};
    border-inline-start: 3px solid ${theme.color.line};
    color: ${theme.color.text2};
  }
  code {
    padding: 1px 4px;
    border-radius: ${theme.radius.sm};
    background: ${theme.color.sunken};
    font: ${theme.text.mono};
  }
  pre {
    overflow-x: auto;
    padding: ${theme.space[3]} ${theme.space[4]};
    border-radius: ${theme.radius.md};
    background: ${theme.color.sunken};
    overflow-wrap: normal;
  }
  pre code {
    padding: 0;
    background: none;
  }
  table {
    display: block;
    max-width: 100%;
    overflow-x: auto;
    border-collapse: collapse;
  }
  th,
  td {
    padding: ${theme.space[1]} ${theme.space[3]};
    border: 1px solid ${theme.color.line};
    text-align: start;
  }
  hr {
    border: 0;
    border-top: 1px solid ${theme.color.line};
  }
`;
