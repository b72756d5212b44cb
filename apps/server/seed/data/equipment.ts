import type { In } from '@tour-ops/contract/callable'
import type { equipmentRecord } from '@tour-ops/contract/equipment/equipment'

type EquipmentInput = In<typeof equipmentRecord.create>

interface DemoEquipment extends EquipmentInput {
  /** Key of a place. */
  readonly base: string
}

/** What the demo lends. Invented. */
export const demoEquipment: readonly DemoEquipment[] = [
  { name: 'Ice cleats', kind: 'safety', quantity: 40, sizes: 'S, M, L, XL', base: 'bsi' },
  { name: 'Glacier helmets', kind: 'safety', quantity: 24, sizes: 'S to L', base: 'bsi' },
  { name: 'Rain jackets', kind: 'clothing', quantity: 30, sizes: 'S to XXL', condition: 'worn', base: 'bsi' },
  { name: 'Child seats', kind: 'child_seat', quantity: 6, sizes: '9 to 18 kg', base: 'kef' },
  { name: 'Boosters', kind: 'child_seat', quantity: 8, sizes: '15 to 36 kg', base: 'kef' },
  { name: 'Handheld radios', kind: 'radio', quantity: 12, base: 'bsi', note: 'Charge overnight; channel 4.' },
  { name: 'Audio guide sets', kind: 'radio', quantity: 25, base: 'rossio' },
  { name: 'Trekking poles', kind: 'other', quantity: 32, base: 'pokhara' },
  { name: 'Down jackets', kind: 'clothing', quantity: 18, sizes: 'M to XL', base: 'kathmandu' },
]
