import { useParams } from '@tanstack/react-router'
import { getFieldStaff } from '@tour-ops/contract/field-staff/field-staff'
import { useScreenQuery } from '../../app/screen-query.ts'
import { callQuery } from '../../backend/queries.ts'
import { StaffForm } from './staff-form.tsx'

/** Changes a person of the field staff. */
export function FieldStaffEditPage() {
  const { id } = useParams({ from: '/_dashboard/field-staff/edit/$id' })
  const { data } = useScreenQuery(callQuery(getFieldStaff, { id }))
  return data && <StaffForm key={id} person={data} />
}
