import { equipmentRecord } from '@tour-ops/contract/equipment/equipment'
import { recordScreen } from '../../plain-records/record-screen.ts'
import { m } from '../../paraglide/messages.js'

export const equipmentScreen = recordScreen(equipmentRecord, {
  path: '/equipment',
  title: m.equipment_title,
  add: m.equipment_add,
  edit: m.equipment_edit,
  labels: {
    name: m.equipment_name,
    kind: m.equipment_kind,
    quantity: m.equipment_quantity,
    sizes: m.equipment_sizes,
    condition: m.equipment_condition,
    basePlaceId: m.equipment_base,
    note: m.equipment_note,
  },
  choices: {
    kind: {
      safety: m.equipment_kind_safety,
      clothing: m.equipment_kind_clothing,
      child_seat: m.equipment_kind_child_seat,
      radio: m.equipment_kind_radio,
      other: m.equipment_kind_other,
    },
    condition: {
      good: m.equipment_condition_good,
      worn: m.equipment_condition_worn,
      broken: m.equipment_condition_broken,
    },
  },
  columns: { name: { width: 260, grow: true }, kind: {}, quantity: {}, sizes: {}, condition: {}, basePlaceId: {} },
})
