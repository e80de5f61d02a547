// Every JSON call: name → method and path, exactly as documented (C-01). Each is an export of its own, so that a page
// bundles only the calls it uses.

// the service
export const readTime = ["GET", "/api/time"] as const;
export const getCsrfCookie = ["GET", "/sanctum/csrf-cookie"] as const;
// accounts
export const login = ["POST", "/login"] as const;
export const register = ["POST", "/register"] as const;
export const logout = ["POST", "/logout"] as const;
export const getUser = ["GET", "/get-user"] as const;
export const requestPasswordReset = ["POST", "/get-password-reset"] as const;
export const resetPassword = ["POST", "/post-reset-password"] as const;
export const updateProfile = ["PATCH", "/account/user/profile"] as const;
export const readNewMessage = ["POST", "/api/users/read-new-message"] as const;
export const listPersons = ["GET", "/me/persons"] as const;
export const addPerson = ["POST", "/me/persons"] as const;
export const switchPerson = ["POST", "/me/persons/{person}/switch-to"] as const;
// blocks and reports
export const blockPerson = ["PUT", "/api/blocks/{username}"] as const;
export const unblockPerson = ["DELETE", "/api/blocks/{username}"] as const;
// tokens and payments
export const getPaymentIntent = ["GET", "/tokens/get-payment-intent"] as const;
export const purchaseTokens = ["POST", "/tokens/purchase"] as const;
export const addFreeTokens = ["POST", "/tokens/tokens/add-free"] as const;
export const redeemTokens = ["POST", "/tokens/tokens/redeem-available"] as const;
export const viewSubscribe = ["GET", "/api/subscribe"] as const;
export const viewPricing = ["GET", "/api/pricing"] as const;
export const createSubscription = ["POST", "/api/subscriptions/create/{product}"] as const;
export const cancelSubscription = ["POST", "/api/subscriptions/cancel"] as const;
export const addPaymentMethod = ["POST", "/api/subscriptions/add-payment-method"] as const;
export const confirmPractice = ["POST", "/practice/confirm"] as const;
// goals, logs, notes
export const listMyGoals = ["GET", "/api/my/goals"] as const;
export const listMyLogs = ["GET", "/api/my/logs"] as const;
export const listMySessions = ["GET", "/api/my/sessions"] as const;
export const listMyHuts = ["GET", "/api/my/groups"] as const;
export const listMyNotes = ["GET", "/api/my/notes"] as const;
export const viewGoal = ["GET", "/api/my/goals/{goal}"] as const;
export const viewGoalLogs = ["GET", "/api/my/goals/{goal}/logs"] as const;
export const viewGoalNotes = ["GET", "/api/my/goals/{goal}/notes"] as const;
export const createGoal = ["POST", "/api/goals/store"] as const;
export const updateGoal = ["PATCH", "/api/goals/update/{goal}"] as const;
export const completeGoal = ["POST", "/api/goals/{goal}/complete"] as const;
export const copyGoal = ["POST", "/goals/add-to-my-goals"] as const;
export const attachGoal = ["POST", "/api/challenge-events/{event}/{goal}/attach-my-goal"] as const;
export const storeQuickLog = ["POST", "/api/logs/store-quick-log"] as const;
export const startLog = ["POST", "/api/challenge-logs/{log}/start"] as const;
export const stopLog = ["POST", "/api/challenge-logs/{log}/stop"] as const;
export const completeLog = ["POST", "/api/challenge-logs/{log}/complete"] as const;
export const updateLog = ["PATCH", "/api/challenge-logs/{log}/update"] as const;
export const saveListProgress = ["POST", "/challenge-events/logs/save-task-list-progress"] as const;
export const createNote = ["POST", "/api/notes"] as const;
export const updateNote = ["PATCH", "/api/notes/{note}"] as const;
// activities
export const viewHome = ["GET", "/api/home"] as const;
export const listActivities = ["GET", "/api/activities"] as const;
export const listTemplates = ["GET", "/api/challenges/templates"] as const;
export const viewActivity = ["GET", "/api/activities/{challenge}"] as const;
export const createActivity = ["POST", "/challenges"] as const;
export const updateActivity = ["PATCH", "/challenges/{challenge}"] as const;
export const patchActivity = ["PATCH", "/challenges/{challenge}/patch"] as const;
export const deleteBySlug = ["DELETE", "/challenges/{challenge}"] as const;
export const joinBySlug = ["POST", "/challenges/{challenge}/join"] as const;
export const leaveBySlug = ["POST", "/challenges/{challenge}/leave"] as const;
export const resetBySlug = ["POST", "/challenges/{challenge}/reset"] as const;
// sessions, by id or by slug
export const listSessions = ["GET", "/api/events"] as const;
export const viewSession = ["GET", "/api/sessions/{event}"] as const;
export const viewSessionGoals = ["GET", "/api/sessions/{event}/goals"] as const;
export const viewMemberGoals = ["GET", "/api/sessions/{event}/member-goals"] as const;
export const viewSessionLogs = ["GET", "/api/sessions/{event}/logs"] as const;
export const viewSessionForum = ["GET", "/api/sessions/{event}/hut"] as const;
export const viewSessionChat = ["GET", "/api/sessions/{event}/chat"] as const;
export const createSession = ["POST", "/challenge-events"] as const;
export const patchSession = ["PATCH", "/challenge-events/{event}/patch"] as const;
export const joinSession = ["POST", "/challenge-events/{event}/join"] as const;
export const startSession = ["POST", "/challenge-events/{event}/start"] as const;
export const endSession = ["POST", "/challenge-events/{event}/end"] as const;
export const completeSession = ["POST", "/challenge-events/{event}/complete"] as const;
export const leaveSession = ["POST", "/api/challenge-events/{event}/leave"] as const;
export const changeParticipant = ["PATCH", "/challenge-events/{event}/participants/{username}"] as const;
export const removeParticipant = ["DELETE", "/challenge-events/{event}/participants/{username}"] as const;
export const liftSessionBan = ["DELETE", "/challenge-events/{event}/bans/{username}"] as const;
export const addSessionPartGroup = ["POST", "/challenge-events/{event}/events-groups"] as const;
export const saveSessionParts = ["POST", "/challenge-events/{event}/parts"] as const;
export const startPart = ["POST", "/challenge-events/{event}/parts/{part}/start"] as const;
export const pausePart = ["POST", "/challenge-events/{event}/parts/{part}/pause"] as const;
export const resumePart = ["POST", "/challenge-events/{event}/parts/{part}/resume"] as const;
export const finishPart = ["POST", "/challenge-events/{event}/parts/{part}/finish"] as const;
export const resetPart = ["POST", "/challenge-events/{event}/parts/{part}/reset"] as const;
export const adjustPart = ["POST", "/challenge-events/{event}/parts/{part}/adjust"] as const;
export const setReady = ["POST", "/challenges/{challenge}/user-is-ready"] as const;
export const createPost = ["POST", "/challenges/{challenge}/posts"] as const;
export const editPost = ["PATCH", "/api/posts/{post}"] as const;
export const deletePost = ["DELETE", "/api/posts/{post}"] as const;
export const addPartGroup = ["POST", "/challenges/{challenge}/events-groups"] as const;
export const addPart = ["POST", "/challenges/{challenge}/parts"] as const;
export const deletePart = ["DELETE", "/challenges/{challenge}/parts/{part}/{type}"] as const;
export const reorderParts = ["PATCH", "/challenges/{challenge}/parts/reorder"] as const;
export const updatePart = ["PATCH", "/challenges/{challenge}/parts/{part}"] as const;
export const makeSummary = ["GET", "/challenges/{challenge}/prompt"] as const;
export const pollSummary = ["GET", "/challenges/{challenge}/poll"] as const;
export const streamSummary = ["GET", "/challenges/{challenge}/stream"] as const;
export const saveContent = ["PUT", "/challenges/{challenge}/save-content"] as const;
export const contributeContent = ["PUT", "/challenges/{challenge}/contribute-content"] as const;
export const editMessage = ["PATCH", "/api/sessions/{event}/messages/{seq}"] as const;
export const deleteMessage = ["DELETE", "/api/sessions/{event}/messages/{seq}"] as const;
export const createMessage = ["POST", "/messages"] as const;
// logs of a session
export const logInSession = ["POST", "/challenge-events/{event}/logs"] as const;
export const logBySlug = ["POST", "/challenges/{challenge}/logs"] as const;
export const startSessionLog = ["POST", "/challenge-events/{event}/logs/tasks/{uuid}/start"] as const;
export const resetLog = ["POST", "/challenge-events/logs/{log}/reset"] as const;
export const pauseLog = ["POST", "/challenge-events/logs/{log}"] as const;
// huts
export const listHuts = ["GET", "/api/groups"] as const;
export const viewHut = ["GET", "/api/group/{hut}"] as const;
export const viewHutSessions = ["GET", "/api/group/{hut}/sessions"] as const;
export const viewHutActivities = ["GET", "/api/hut/{hut}/activities"] as const;
export const createHut = ["POST", "/groups/store"] as const;
export const updateHut = ["PATCH", "/groups/{hut}/patch"] as const;
export const attachActivity = ["PATCH", "/groups/{hut}/{challenge}/attach-challenge"] as const;
export const detachActivity = ["PATCH", "/groups/{hut}/{challenge}/detach-challenge"] as const;
export const joinHut = ["POST", "/groups/{hut}/join"] as const;
export const leaveHut = ["DELETE", "/groups/{hut}/leave"] as const;
export const deleteHut = ["DELETE", "/groups/{hut}"] as const;
export const changeHutMember = ["PATCH", "/groups/{hut}/members/{username}"] as const;
// items, books, uploads
export const createItem = ["POST", "/items"] as const;
export const updateItem = ["PATCH", "/items/{item}"] as const;
export const deleteItem = ["DELETE", "/items/{item}"] as const;
export const searchParents = ["GET", "/items/parents/search/{person}"] as const;
export const uploadImage = ["POST", "/upload/{postSlug}"] as const;
export const listBooks = ["GET", "/api/books"] as const;
export const viewSnippet = ["GET", "/api/books/{book}/snippets/{snippet}"] as const;
export const randomSnippet = ["GET", "/api/snippets/random"] as const;
export const createParaphrase = ["POST", "/api/paraphrases"] as const;
export const updateParaphrase = ["PATCH", "/api/paraphrases/{paraphrase}/update"] as const;
export const setFavorite = ["POST", "/favorites"] as const;
export const viewMe = ["GET", "/api/me"] as const;
export const viewMeInHut = ["GET", "/api/me/{group}"] as const;
// pages whose path is a name: last, because every other path has priority
export const viewPerson = ["GET", "/api/{person}"] as const;
export const viewItem = ["GET", "/api/{parentItem}/{childItem}"] as const;
