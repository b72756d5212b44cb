import { expect, test } from 'vitest'
import { shownColumns } from './shown-columns.ts'
import type { DataColumn } from './table-types.ts'

const column = (id: string, width: number, rest: Partial<DataColumn<string>> = {}): DataColumn<string> => ({
  id,
  header: id,
  width,
  cell: (row) => row,
  ...rest,
})

const columns = [
  column('time', 80, { pinned: true, alwaysShown: true }),
  column('status', 120),
  column('name', 200, { pinned: true }),
  column('note', 90, { initiallyHidden: true }),
]

const drawn = (chosen: readonly string[] | null, hasCheckColumn = false) =>
  shownColumns(columns, chosen, hasCheckColumn).map(({ column: { id }, stickyAt, isLastPinned }) =>
    [id, stickyAt, isLastPinned && 'edge'].filter((part) => part !== null && part !== false).join(' '),
  )

test('pinned columns come first, each where the one before ends, and the last carries the edge', () => {
  expect(drawn(null)).toEqual(['time 0', 'name 80 edge', 'status'])
})

test('the column of checkboxes comes before them', () => {
  expect(drawn(null, true)).toEqual(['time 46', 'name 126 edge', 'status'])
})

test('a person’s choice holds, save for what is always shown', () => {
  expect(drawn(['note'])).toEqual(['time 0 edge', 'note'])
})
