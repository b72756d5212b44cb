const uuid = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i

/** Whether an address part can be the id of a record: a UUID in any version. Whether the record exists is decided by its page. */
export const isEntityId = (value: string | undefined): boolean => value !== undefined && uuid.test(value)
