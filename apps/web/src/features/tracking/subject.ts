/** Whose positions these are: a person of the field staff, or a vehicle. */
export type Subject = { readonly staffId: string } | { readonly vehicleId: string }

/** The filter of lists of devices and duties that leaves those of one subject. */
export const onlyOf = (subject: Subject): { staffId: string[] } | { vehicleId: string[] } =>
  'staffId' in subject ? { staffId: [subject.staffId] } : { vehicleId: [subject.vehicleId] }
