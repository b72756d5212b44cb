/** A port of which everything is asked asynchronously. */
type Asynchronous<Port> = { [Name in keyof Port]: (...given: never[]) => Promise<unknown> }

/**
 * A port whose code loads when something is asked of it first: pages of people who are inside already need neither sign-in nor the
 * security of their account. Questions keep their order; one whose code does not come is rejected, and the next one tries again.
 *
 * @example provideAccounts(portLater(async () => (await import('./embedded-accounts.ts')).makeEmbeddedAccounts(service, identity)))
 */
export function portLater<Port extends Asynchronous<Port>>(load: () => Promise<Port>): Port {
  let loading: Promise<Port> | undefined
  const loaded = async (): Promise<Port> => {
    loading ??= load()
    try {
      return await loading
    } catch (error) {
      loading = undefined
      throw error
    }
  }
  const ask =
    (name: string | symbol) =>
    async (...given: never[]): Promise<unknown> =>
      (await loaded())[name as keyof Port](...given)
  return new Proxy<object>({}, { get: (_target, name) => ask(name) }) as Port
}
