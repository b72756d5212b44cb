import type { In } from '@tour-ops/contract/callable'
import type { equipmentRecord } from '@tour-ops/contract/equipment/equipment'

type EquipmentInput = In<typeof equipmentRecord.create>

export interface DemoEquipment extends EquipmentInput {
  /** Key of a place. */
  readonly base: string
  /** Tours whose departures take some along, with how many pieces. */
  readonly issued?: Readonly<Record<string, number>>
}

/** What the demo lends. Invented. */
export const demoEquipment: readonly DemoEquipment[] = [
  {
    name: 'Ice cleats',
    kind: 'safety',
    quantity: 40,
    sizes: 'S, M, L, XL',
    base: 'bsi',
    issued: { SOUTH: 14, NLIGHT: 6 },
  },
  { name: 'Glacier helmets', kind: 'safety', quantity: 24, sizes: 'S to L', base: 'bsi', issued: { SOUTH: 14 } },
  {
    name: 'Rain jackets',
    kind: 'clothing',
    quantity: 30,
    sizes: 'S to XXL',
    condition: 'worn',
    base: 'bsi',
    issued: { GOLD: 4 },
  },
  { name: 'Child seats', kind: 'child_seat', quantity: 6, sizes: '9 to 18 kg', base: 'kef', issued: { KEFT: 1 } },
  { name: 'Boosters', kind: 'child_seat', quantity: 8, sizes: '15 to 36 kg', base: 'kef' },
  {
    name: 'Handheld radios',
    kind: 'radio',
    quantity: 12,
    base: 'bsi',
    note: 'Charge overnight; channel 4.',
    issued: { SOUTH: 2 },
  },
  { name: 'Audio guide sets', kind: 'radio', quantity: 25, base: 'rossio', issued: { ALFA: 12 } },
  { name: 'Trekking poles', kind: 'other', quantity: 32, base: 'pokhara', issued: { POON: 8 } },
  { name: 'Down jackets', kind: 'clothing', quantity: 18, sizes: 'M to XL', base: 'kathmandu', issued: { ANNA: 8 } },
]
