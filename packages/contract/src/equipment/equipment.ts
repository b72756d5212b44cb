import { listPlaces } from '../places/places.ts'
import { record } from '../record.ts'
import { choice, choiceWithUsual, line, longText, optionalLine, reference, wholeNumber } from '../record-fields.ts'
import { equipmentKinds } from './equipment-kinds.ts'

/** What is lent for a departure: counted, not tracked piece by piece. */
export const equipmentRecord = record({
  table: 'equipment',
  nouns: ['a kind of equipment', 'equipment'],
  read: 'staff:read',
  manage: 'staff:manage',
  reach: 'everyone',
  fields: {
    name: line(120),
    kind: choice(equipmentKinds),
    quantity: wholeNumber(0, 10_000),
    sizes: optionalLine(80),
    condition: choiceWithUsual(['good', 'worn', 'broken']),
    basePlaceId: reference('places', listPlaces),
    note: longText(1000),
  },
  title: 'name',
  sort: ['name', 'kind', 'quantity', 'condition', 'basePlaceId'],
  filters: ['kind', 'condition', 'basePlaceId'],
  search: ['name', 'sizes'],
  open: { because: 'Notes on equipment are about things; guides read them too.', fields: ['note'] },
})
