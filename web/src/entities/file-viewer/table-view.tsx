import Papa from 'papaparse';
import { useMemo } from 'react';
import { styled } from 'styled-components';
import { Notice } from '#ui/notice.tsx';
import { theme } from '#ui/theme.ts';
import { TextPreview } from './text-view.tsx';
import type { ViewProps } from './viewed-file.ts';

const MAX_BYTES = 1024 * 1024;

export function TableView(props: ViewProps) {
  return (
    <TextPreview {...props} maxBytes={MAX_BYTES}>
      {(text) => <Cells text={text} label={props.file.name} />}
    </TextPreview>
  );
}

function Cells({ text, label }: { text: string; label: string }) {
  const { head, rows, isTruncated } = useMemo(() => parseTable(text), [text]);
  return (
    <>
      <Grid aria-label={label}>
        <thead>
          <tr>
            {head.map((cell, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: columns are identified by position
              <th key={at} scope="col">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are identified by position
            <tr key={line}>
              {row.map((cell, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: cells are identified by position
                <td key={at}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </Grid>
      {isTruncated && (
        <TruncationNotice>
          <Notice>Showing the first 1,000 rows and 100 columns. Download the file to see the rest.</Notice>
        </TruncationNotice>
      )}
    </>
  );
}

const Grid = styled.table`
  min-width: 100%;
  border-collapse: separate;
  border-spacing: 0;
  background: ${theme.color.surface};
  font-variant-numeric: tabular-nums;
  th,
  td {
    max-width: 360px;
    padding: ${theme.space[2]} ${theme.space[3]};
    border-bottom: 1px solid ${theme.color.line};
    text-align: start;
    vertical-align: top;
    overflow-wrap: anywhere;
    min-width: 72px;
  }
  th {
    position: sticky;
    top: 0;
    background: ${theme.color.surface};
    font-weight: 600;
  }
`;

const TruncationNotice = styled.div`
  position: sticky;
  inset-inline-start: 0;
  padding: ${theme.space[3]} ${theme.space[4]};
`;

const MAX_ROWS = 1_000;
const MAX_COLUMNS = 100;

type ParsedTable = { head: string[]; rows: string[][]; isTruncated: boolean };

export function parseTable(text: string): ParsedTable {
  const { data } = Papa.parse<string[]>(text.replace(/^\uFEFF/, ''), { preview: MAX_ROWS + 2, skipEmptyLines: true });
  const widest = data.reduce((maxColumns, row) => Math.max(maxColumns, row.length), 0);
  const [head = [], ...rows] = data.map((row) => row.slice(0, MAX_COLUMNS));
  return { head, rows: rows.slice(0, MAX_ROWS), isTruncated: rows.length > MAX_ROWS || widest > MAX_COLUMNS };
}
