// Creates the user of notifications, which can only read and write its own database. The image runs this on an empty
// volume. Running it again resets the permissions, and sets the password from the environment.
const users = db.getSiblingDB('admin');
const user = 'notifications';
const settings = { pwd: process.env.NOTIFICATIONS_PASSWORD, roles: [{ role: 'readWrite', db: 'atrium' }] };
const exists = users.runCommand({ usersInfo: user }).users.length > 0;
const { ok, errmsg } = users.runCommand({ [exists ? 'updateUser' : 'createUser']: user, ...settings });
if (ok !== 1) throw new Error(errmsg);
