type Place<Made> = Record<string, Made | object>

/**
 * Each callable as a separate function, as the exports of a module. The deployment lists what can be enumerated, under the name of the
 * callable; the runtime then looks for `tours.list` where `tours-list` was deployed, so the same functions can be reached along the parts of
 * their names.
 *
 * @see `extractStack` in firebase-functions/lib/runtime/loader.js, where dashes of a name become dots of the entry point.
 */
export function namedFunctions<Made extends object>(
  names: readonly string[],
  make: (name: string) => Made,
): Record<string, Made> {
  const functions: Record<string, Made> = {}
  // `imports-undo` before `imports-undo-check`, which is then reached through it
  for (const name of names.toSorted()) {
    const made = make(name)
    functions[name] = made
    const parts = name.split('-')
    const last = parts.pop() ?? name
    let place: Place<Made> = functions
    for (const part of parts) {
      if (!(part in place)) hide(place, part, {})
      place = place[part] as Place<Made>
    }
    if (!(last in place)) hide(place, last, made)
  }
  return functions
}

const hide = (place: object, key: string, value: object): void => {
  Object.defineProperty(place, key, { value, enumerable: false })
}
