// The functions of a project with FIREBASE_CALLABLES=named. A module of the other kind, since only its exports may have names that are not
// known before it runs.
const { named, exchange, sweep } = require('./firebase.ts')

module.exports = Object.assign(named(), { exchange, sweep })
