import { expect, test } from 'vitest'
import type { DocumentSnapshot } from './documents.ts'
import { gatherPositions, spreadPositions } from './gathered-positions.ts'

const at = '2026-11-25T09:00:00.000Z'
const seen = (subjectId: string, departureId: string | null): DocumentSnapshot => ({
  path: `orgs/north/positions/${subjectId}`,
  data: { subjectKind: 'staff', subjectId, departureId, recordedAt: at, receivedAt: at, lat: 64, lng: -21 },
  createTime: null,
  updateTime: null,
})
const all = [seen('ada', 'tour'), seen('bus', 'tour'), seen('bo', null)]

test('who is on the same departure lies together, who is on none alone', () => {
  const gathered = gatherPositions(all)
  expect([...gathered.keys()]).toEqual(['tour', 'bo'])
  expect(gathered.get('tour')?.subjects.map(({ subjectId }) => subjectId)).toEqual(['ada', 'bus'])
})

test('what was put together comes apart as it was', () => {
  const stored = [...gatherPositions(all)].map(([id, data]) => ({ ...seen(id, null), data }))
  expect(spreadPositions(stored)).toEqual(all)
})

test('a document that is gone holds nobody', () => {
  expect(spreadPositions([{ ...seen('tour', null), data: null }])).toEqual([])
})
