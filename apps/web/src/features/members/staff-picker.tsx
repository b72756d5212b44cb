import { listFieldStaff } from '@tour-ops/contract/field-staff/field-staff'
import type { Named } from '@tour-ops/contract/fields'
import { useState } from 'react'
import { useLookup } from '../../app/lookup-query.ts'
import { callQuery } from '../../backend/queries.ts'
import { m } from '../../paraglide/messages.js'
import { Combobox } from '../../ui/combobox.tsx'

export interface StaffPickerProps {
  value: Named | null
  onChange: (staff: Named | null) => void
}

/** Finds a field-staff record by name; the server searches. Inside a `Field`. */
export function StaffPicker({ value, onChange }: StaffPickerProps) {
  const [q, setQ] = useState('')
  const { data, isLooking } = useLookup(
    callQuery(listFieldStaff, { q, filters: { status: ['active'] }, sort: [{ by: 'name' }], size: 30 }),
  )
  const options = (data?.rows ?? []).map((staff) => ({
    value: staff.id,
    label: staff.name,
    detail: staff.homeBase?.name ?? staff.code,
  }))
  return (
    <Combobox
      options={options}
      value={value && { value: value.id, label: value.name }}
      onChange={(option) => onChange(option && { id: option.value, name: option.label })}
      onSearch={setQ}
      loading={isLooking}
      placeholder={m.members_staff_placeholder()}
      emptyText={m.members_staff_none()}
    />
  )
}
