import { StaffForm } from './staff-form.tsx'

/** Adds a person to the field staff. */
export const FieldStaffCreatePage = () => <StaffForm person={null} />
